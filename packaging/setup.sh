#!/bin/sh
# Everything a fresh machine lacks: a virtual environment with this project and some of its extras, and on Debian and
# its relatives the system packages that Qt's wheels expect. Root installs them; anybody else is told the exact command.
#
#   packaging/setup.sh VENV [EXTRAS]        EXTRAS: test,lint,bundle,...
set -eu
venv=$1
extras=${2:-}

say() { printf '%s\n' "setup: $*" >&2; }

# --- Python -------------------------------------------------------------------------------------------------------
# A name on PATH may be a version manager's stand-in for a Python that is not there: ask each one what it is.
fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
python=${PYTHON:-}
if [ -z "$python" ]; then
    for name in python3 python3.13 python3.12 python3.11; do
        if command -v "$name" >/dev/null 2>&1 && "$name" -c "$fits" >/dev/null 2>&1; then python=$name; break; fi
    done
fi
if [ -z "$python" ]; then
    say "no Python 3.11, 3.12 or 3.13 on PATH; install one, or name it: make PYTHON=/path/to/python3.12 ..."
    exit 1
fi

# --- System packages ----------------------------------------------------------------------------------------------
missing=""
want() { missing="$missing $1"; }
if [ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null 2>&1; then
    "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 || want "python3-venv"
    libraries=$( (ldconfig -p || /sbin/ldconfig -p) 2>/dev/null || true)
    need() { case "$libraries" in *"$1"*) ;; *) want "$2" ;; esac; }
    need libGL.so.1 libgl1
    need libEGL.so.1 libegl1
    need libxkbcommon.so.0 libxkbcommon0
    need libfontconfig.so.1 libfontconfig1
    need libglib-2.0.so.0 libglib2.0-0
    need libdbus-1.so.3 libdbus-1-3
    need libxcb-cursor.so.0 libxcb-cursor0
    need libxcb-icccm.so.4 libxcb-icccm4
    need libxcb-keysyms.so.1 libxcb-keysyms1
    need libxcb-shape.so.0 libxcb-shape0
    need libxkbcommon-x11.so.0 libxkbcommon-x11-0
    font() { [ -n "$(find /usr/share/fonts /usr/local/share/fonts -name "$1" 2>/dev/null | head -n 1)" ] || want "$2"; }
    font 'DejaVuSansMono.ttf' fonts-dejavu-core
    font 'NotoColorEmoji.ttf' fonts-noto-color-emoji
    font 'NotoSansCJK-Regular.ttc' fonts-noto-cjk
    font 'NotoSansDevanagari-Regular.ttf' fonts-noto-core
    case ",$extras," in *,bundle,*)
        command -v objdump >/dev/null 2>&1 || want binutils
        # Debian's own Python is one file without its library, which a bundle needs; it is a package beside it.
        own=$("$python" -c 'import sys; print(("libpython%d.%d" % sys.version_info[:2]) * (sys.base_prefix == "/usr"))')
        [ -z "$own" ] || need "$own.so.1.0" "$own" ;;
    esac
    case ",$extras," in *,test,*) command -v Xvfb >/dev/null 2>&1 || want xvfb ;; esac
fi
if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ]; then
        say "installing$missing"
        # shellcheck disable=SC2086
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >&2
    else
        say "these system packages are missing; install them with"
        say "    sudo apt-get install$missing"
        case "$missing" in
            *python3-venv* | *libgl1* | *libegl1* | *libxkbcommon0* | *libfontconfig1* | *libglib2.0-0* | *libdbus-1-3*) exit 1 ;;
            *) say "(going on without: text may lack glyphs, or a window on X may not open)" ;;
        esac
    fi
fi

# --- Virtual environment ------------------------------------------------------------------------------------------
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable ".${extras:+[$extras]}"
