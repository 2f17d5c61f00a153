"""The script that the bundle starts."""

import sys

from tokenloupe.__main__ import main

sys.exit(main())
