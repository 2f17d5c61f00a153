"""What regex engines take each code point for; written by packaging/make_unicode_tables.py.

fancy-regex: of tiktoken 0.14.0; oniguruma: of tokenizers 0.23.3.
"""

# ruff: noqa: E501

CATEGORIES = 'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn'
DATA: dict[str, dict[str, str]] = {
    'fancy-regex': {
        'categories': (
            'c-q}rU8r406?T5s%-(y>x#!$D=gdv+$+|iDyG@#;O_L_6THBzsSXyd*u%#mYU={p<_CXNzB~-C5MHKO+f}j?kD@bd7Dxwupp@J44M2asyD8(l&'
            'DC)P?>~nIH#%Nnjv2fSfv-ixbS!>q+x{FP-;j)<m*38IcGXV^3?pmAO#O6(d?-?^QGcdDFi?<2hCi}3@WIr_pvorjX8DnOSk-SZ8!qZxrOPE`C'
            '$>a@VCeiG&X3|(=%vA*Y8s}dd*wxsr#`1J{_|>@1*_Z9JJJv71<BtTJ$FFhvb?5JE<karK<gTimmJs{9sMPwG&EE$8=Qevk8~C*u`8YEkn&#JM'
            '4~5k#`65`@cxR!d#<P_#89XtbEN86a*_s1-oXFsn(Mk0=SxV)UIq~1QfkMGHSM$#8>tq{O1$f(t7KD7ns&`{s%+&DlV1_1`Y<n=F;W>HsWOL#$'
            '7yoCbHrtY9cJA_mjPGa`y4Gh)CVZIionjEb7lQS`Qhcz~wT^HGtz~H19JU&^XdW!zPryWL+_n3t#d=fVcRgqec3Q{><6D3OK>j?!?%m`t!YQ1H'
            'co&&jAZYHKxD7`@%`Tk12qvDv872bA#U^-+Y!u2mvO&B#F!&MaS8fP504Tr|0oWrvbKMR4*+v0*Z`efG4OTh91j?~<8j_J46z*lUoXmmzMOf_$'
            '6f?VM16E+Y3l3i*&XlvG;0#Xa&s~qJ)$`0nxM)Qo0b5-sG~z3b<P@b26ip+(1gyC{w>xp^ja|fXRLmE1EYU5buI>PzPHFRaTIE1+It2$9$UW%&'
            '<2?%BmBxUZ6v?|3<n9UqpUgEquN#2zl1Gss?g^(<ii8&6uq!^nV~$DVu5g)mV(Bj7kmB+#z@^}eVJVr)pS;C^$R;jt{s`u(HkcI`z*fA>#+a6O'
            '(}D)k$cjIMf9R;nPpFL~lE$9sR34B9&W60@hVp<<2=&lX&t?iNz7ZWj=5c6svjo`Hk2_rr3jt>N4iC?;J;mo~A$nY3Gss9>u_2VM?c|2S3M9h;'
            '*eJJk5OP|BtVyk(#4`DyP>7X~5PSq>Uxb#UWaS<rbSlan$<1_a$bn=GJ<yv1AJM^vhbj@AUvDfz;-Ud%TcZx74qtRs{1BqjPpm4E?ai=`kMz%d'
            'mzjeJ^PBteJ4j5a&C}$dI9&;RFHi>wc*8%!wr~&YWHvTQcy@dzx$L?I_Lha>*z!bV9Bpp##fAY7d)dqQMxBeHQB6)k{FLO0s&BY)NHGNt@TNXH'
            '@qa<S9e@l^;{<45*e@0hpLIKRyjL(or(x%@T1S9JK<Wi{1Bq{`L=zu_Og2e0#DJ;&Wka+~?Z@WRy|u=wNlI4(Je^pVo-Pox_<1XmZN}jS7P(!o'
            'zL7$23!%zi&W*V%ZD`?zh1)GsUm)@Yb>hX3=}xP5s^4P6J|Cn8C(Am=1T13r!b9-5ON}_hM<EJln%syL=b_RKnS`J^Y*dGckJ(%O5Shw;d&r*)'
            '|MzkBszLjP;Gr>MtO1(RVBB2vUNh7SAhT;$SGpx2`(&*koYY!w=2q`+=CM}C>}CxV&ds2Yt9j(XoHme>pwdI#whq+#YsO7ByUcEyn~hdykmn4X'
            'RE6*%saA)BE*tEH-<_kjL-rDq(|P1Z%MlN~<9*W+4}%9=t{H@pWL?Gs@YLEzYm53mfmvW=R^a8SnLn(?+G3^TL7wfcR+mL~j?;lo>x0fDi^xP1'
            'Dt6-Qyg~%*#Wxun9Y1O(aPWN~m|`mG+q*HjRd!DfmoRx}DV)lTZ%%iYlAe-%E#ORPCJ*BIl3DG)9Bidyh4d2kPA)e;o}9Pkb7pcS9GAkatJMn~'
            'J!~f@$_!kE$u-6D0@3PY<wRe5xJxp2zslmFUEaMR?B80|mdbCa9@l4RLEaY2!JE{5Hz5)sN62f44;$2KAiWYSLT?QKS4aBWYDWaMg1#*+=3)^M'
            ';!c+>qM@!^8=`9Hdn!9&xSuy6t^3P>pEqTb$3@#O1!R)xE+>2Ya%~&JTt}v~odhd0B#)yy#ehQ%-z#Ziurn)PhVR8!=Ox%21&i;Oz*l_g%7V5_'
            'ivT>Pz1Y*Gt<oS_8l^?)(lvNKW6LwA=v?{g<G|wo(jb#Niw%c0$~_8?f^+~`2g-pd|4)TY;y#cTN(ts)b$N@@42ejGv<xA6W7c|Y1^kQk?)6n~'
            '-(0yY-$^^YQi`dEE3NT6PPbLM+`~mHXY8s(2wQ9vNdY9y*`S(6!5Je-3P}rYWT-ci$Nk%QlE#>CGzklwkru%UM1M(AxjlsRDsLbqN9u_}ho!XY'
            '6FJ+bXf6(=xb`T;frTVd^DXp|w0H@+Mxd3HR*Ec1<Z7t^y+x9UVqsYTo}^lINkK$f_{jS%DMFy^iTboZE1%fWp$N1+TyQH$>Sx}!Dj(1H*aK9{'
            'z*?Yb!m26i<M+`3b(-fJ0O!YVI)8G{i&CI|oVGdI0h72dxd$?nVP6879R>9#X?-^4KVS%VFfQk?^^ADBvOw)=rml=b?7O*v$5P!4?cm>q7^^#w'
            '%S*Ip^<q0_H3JwTwo4~sYO`0O9+5%}sXxD(26Dezj|QjyIPP{Y<b2^~t(MbvinTLS@C1t<L9b&sM?xUXqF68}W9q$(uw#w(^Jn4f97sHl5~3}q'
            'JD=8zO^`MZQEr%WJs*cwK5SUj>INDiI?R*j1^LwS6mA&G(h+YH1>!Ba{4BL1zGmvK<-_K%y_>2i4;s%0t%p}^pxUCU2^rT25Nm&t6U=4=h?;vj'
            'tQzoBC}O#wENY-*0Y&V!fY#rpJd31{^(_Ut-wh?8LAGW~OnY%qn@;pR6H_XL^b0FC@n-Tl1U=Y8vNTSXuS=rUQqUnhid|}X$67a{_zG=`+~z1>'
            'l3H0>2%BXONvnoZL}_>ibi`b+r%4l>(WDGz^C;e9x`*$evwX@7`IL>Ya$FN^x|U)%4N<2Ult|KMLnRGspFC%HZvw+wWojpm#vtk}$YVma4)zMn'
            '-Y3chRVj$h+dQL~rYsS>n(JvALBl;y6Y4}YT7x-p5XWo(O3XEzIkXt2YUY-AYnLft%|Vhnu+gr87lV#+<^gdmS+I!HIsq)LI2t%BAFAo%B<=Ny'
            'bxczNZQ7gDny}W0A!}t9ZrM?=8!gzO-mpY*UecQ*rNmyLH>G!@&cnyrnR0R2K_aQG@fM}_3`u)ErdONo+RKaD`;r|v!S`LV+8Y!ApKzEEMqoaz'
            '-9jtf899we%~q`(u6&D6RBV-!+WpX55FvltfTh|lTuyFeFNMEuYgQK{o;@kk!#t5Jq%YpXlBiru_i4L_=e2DWtDl#m-HXpok|RZWT1-P^qxExs'
            'fEQ+Ar3W?8o0NNK`di#Zq4v9Kr?7Uy)ZIHMb=TgmJFZ#wJGEn4C2Zmxn7VM7lt58w?F<_YDlS|{!xdYUhcE%?R({e*zb3CKC(`~pM7341<Pukl'
            'xk-|ShqOD23Mp1r0C%huU>gTHZI(&nFRIw8RfT@Vf~2J<vlm1w3jU<ko{oen?HYmv2_XBSF$9#$#Y5=_hxcgTbe5Xpr|V@1nLifkqx@h870ii$'
            'Xy|8C{t(n<$WJsho=fjy1bh10UU-2YdwTjboZ}#f33TnVLw?$W25I!vi2N=c1=iM%wsucY4AN5bNXbp<wDB0>3}(PLp(haH{b2+F2kM?RD%y?Y'
            '^GEnj^4iKg8{v1t(4S-LH5Y{X+qlLrT@QVHzNI5DhTq@DUb=z+EaGojaqq-^`*aN^+3=%|KA-s$ICTi$*2>MvY!Q|6^WSXopFkZb|E?={@paIS'
            '4I~ktDmU|=g=#6dZZ4t-u7udkq30!rt>VMmP&2;0z?8~o;35VJ_aSB8ogP7;GMjeONEFCc#`XVCR=a`nluEsk>Q)miS(kL3#1JnXfj*`zzd%UZ'
            '7jXU8ivLpBgY<2;F_YcaOoIJSNA<sEC)@MBoDII54AK%^E7HWIJQ8X0C_D$1MB+Dv8wvJTwGq1>tUg6EC3xQA_d#+G@o|YEA$qI2A#LPmtVGtZ'
            'E*(Fp4?@@UIS1=EUS6L!qBh!P#q#`uQ`_*XIB)nzV(SQB;Rx?H`{7Hlu~)n=2YxFm8JEn|r@N2^NLBNLx_#cGSbEH^M{5+|U&;653ht8im%?(+'
            '_x{`Oz$duZB^Bv?`a0c+0Qg1A$BO3%PymjgNh4$>0*9bk!}JYPZeoTl%96IghRYg<@|fYjnnJT*6F#pahmkzy(-?mM8TFt@8+D}5n+k-2Z-?>R'
            'k_-voY`KMhX>r^dKFG$d5Ee!~K4Gz(^A%K}{61*?7aD%y=av@y{ROV$x5C@Q$6+_$c?%5bMNi+H@Yg;4F7Z#19`Oqc`o;H-BEoL*2j}Mv3@3c)'
            'Z;t=|54XqmzyAcaO<dd'
        ),
        'script names': (
            'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopo'
            'mofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmi'
            'an Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptia'
            'n_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi G'
            'urmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Insc'
            'riptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Smal'
            'l_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani'
            ' Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cu'
            'rsive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_L'
            'ue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old'
            '_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmy'
            'rene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham'
            ' SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_L'
            'e Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Toto Tulu_Tig'
            'alari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square'
        ),
        'scripts': (
            'c-noJTa2Am703T;fBU<h+g#6dpP4!5%yc@p&Y78>X*<)empNtHp*_6|y-;cyXla2WR6(g!WhjMGZkC&+1qzl5#TcWBLGcNV;)9xCqKyy65MO*S'
            'AwC#mj1T_z*Fz;}eE99X_S)BPt-aUY-&#|sdt}T=Jx5&AQ5RDpKXK{<#-&1K+RV{dSHw6K1)EDnLz3L;#L8$R)0J$Ysq&~4Rs6OT1^uo<l{l_o'
            'axy^Yq=q+{f~&=NBugApCXr6X1ugO2lzVmdj0jep5%xVJ<GT8?WU=y2mhK#Vgv#6_tnS*WAUg%AGvcD81xmZv#O~dCM_I?YvNDCTP6>jPf+Bg!'
            'K9Q6I&2re#>r_CUrYvw-HpCehc;nQKvma%jsB3Uy=5C|j8FyIrp{cWZ^LPYjR1gxI=ZQ}gaYq%RhTfqpqd92i=}|vv;~e99k8xcjPuVAmxGaYa'
            'y>rYb`kKDwSOj&J7V*xC1IJ3*N{LQvq8i1d)<OELXt<wjtZX~aCRwzfr9Cs}S>f2E!zNAV*(AKC)91y9Y82VmCfX*Etzf&%G^<DliHJMR?hT!u'
            'X5VR#SXm|Y&U6}?8<~@dM(*9H(R8Ci!In>Ru9nkW@d7J_Hj&eu(6>5D+*l1A?RT1=64_dIOCx@TwPLznkws7&*@n1eK|}7?sFJdkeG;*(H<q#C'
            'RgTs7DmxD}Btgz5K6OUD%Hdv@1N}qnIph+B#Y1BB(7c-1IKWRE;Odx5Lmq16J^!OF$9zRYo+0G{2ZaF-yE+s+GViu@-|b-232{v71WlZORzk?L'
            '(!NZY5N*x0-gDL)Hc`*<qxY|;Vb^;JYEBuM6Vo>5;ifqsi|1U-wnQjx7Nj@p1li1OvAOs>jpjZtDU2M}C>-{XI?Ro8xV*lriF>bU`UQ^P{Q?`M'
            'Ua&T{N!Aui@e*wD1y#THv@DGR=xAz_gB)=-jejmxbZH#=V<>o90ywdl4Dn-aB=(476w5C9>uyDgOPFessY`LTE|pq5uj+XQACL4m@}LoTKBh$7'
            'GUhpwP1*=rncDyrk~F8-Z5S>X<y4X~-XT+W&|`AwiF4>@K;uFf52fBon$1w%F&gJxlV^u^yzZNMmHQi=k23q-Y37E@_4^Ah{K6-<!PEtNIxg@i'
            '$pz^c2oqQTKgz}ZrWb{(;HGLCSEO1%yOAmbY}J^ss$(?~7+s~YuxpBbh?Q}s#O$pxuhFs@!Tt#zQd7?Kb32G>s+Cx-nbO1#GgcF`r*>J)dlS`~'
            'nZG2}r^B~-XeQt078>979d$|CFjw3Y1n4z~_`x$YkE-)?NKkJ_wqE%<+egO3)Yk&co}>rUC+YcedGtE2@w&c;xnbmC>7H<~bu~MhXf>nL>e2y*'
            '{d|aQo_mq#eEGo4i?RUji_)<-g2$bHmH(J%F>jubF4uKM%Wv-(-OIjvJzUy7kw(Xa#*&GX*Wn{oRk*9#55Jy<>$)gR@=OyUszEe)pKiimlvZZD'
            'R#>imh%Tc^H^uf_vau>Iq(xha=3Km#a7x&apG5awy%tj@qWLN`bcrA5O{i-)Ec<Nfn+Uukk=`mOkXE8dZmU9eYcGy(bzwJA#W)DfHg3cWC8>;2'
            'Bk>6yr|k}wwB{gjC!6&h4dEQ^TuiTi!A0>68`Iv9zWX$?_YGrvY5XxMK1h>1=%Me+I$>~8fTeBpKwIitHbmLPw~4aJf9o79eVq~FhiXfR{FVs8'
            'mId(W>tPbs*Td_g4Y~v)M0IhkNjblQwJXYBDIE+D9vnyOa@H<);V$obh;1G!?BM3#QA7E&3-)QW?Nb=tr)St^#znx~A>A{y+l)pu!%KpczgYf!'
            '83Vf*f_8;i?$M%Neie`Qs@9e4wX$WN2T9L!vHrYl$Hp&BV&dKm@!{P&xHLet)I<NEgYLlqYVZR|o&m#`Z6v(RsH84S6C6DWtq1Q9F#Lq%QFx#q'
            'T?^XK(H~-KmKMzNz+`9EM36PS`k&;C(UaWV%i4M2v<DdYOo+KhIbz#s?(&vd!Px8?__xt7M3Wpz-R5EC^)908J?Ighn-R`V@|1m|h)X068#NA*'
            '5nj0?3?G#J5r-{Oh%Q=}U$nQXmHKV+DV@HiQx|y_nRH{{9h~5fA~w86P4t?)DOi4r9r{m6FV^3}ac}XEnQKM-4I8*^(srN=or;%_(&$j{^1ao2'
            '5I4L<Ys*{W_i!>2^l%nZOmc4Xo)A&bEP_LHFi9Qi#D;Hk&KsVR44PV2e3kYqza!{<hVd_YhVz7JL4{<~5xUb3%DZWo-7N3k2!9WUB_n&dhZ=IY'
            'hhMPAgEz)9S=7kAF%CWU4xMxZ-&kt}Lu={zwL2l(a;To=^nAXY_d5^a-cA~$Glic?=dapupgV&rL0^QIOMNbWp`CY^Azt!+2Jh;?N9k7D@>Yhc'
            'TerPr&H55oTnu@}!w9p-BSgpPLDGKQMeFhJIfysBFSz-p+p%fC#)|!1%KjSUoXB0OD(g~E)hzxoc8(^Q_s+=`XWbBFU3gCZydJv7v4|p4dreI_'
            'HJ<yaZa9qUQp>VIfTx_hPPX94LcYNkGGr{|M=xaTT&T?-iuflV&iH|2He)na=!iqyZ&u;&jJOzJ5L#oLxY-1}AN;szbiA6E)@<cLw3&3mZr%>Y'
            'oD%G0<hq_HW8<Ala(lg`jU@5UMz*y{VB{8Pl)I8LEt|Bt8vTB2J6^I$)jZ`sE;%sak$7A_2vDliiS^&H_pqROSS7h4?y!qB#U4oUC@M!BWREbS'
            '9ib17yvL`+H>DZzn|y<E6Mx`f`1UKj7VhB_<(?0n<c`op5&LTTx!kPKbn_54^PLtECC_?TM+2=kKV?(KgU;mFfNQp~oq43M>Lr0EQ0s<#73Wj!'
            'Kh4K=b_~BU*2m-7v77lDV#jb3c`4gJqcFnQevlr>(Ny-`VOd14eOJsB3Pz@s$s~<J!?%OU!ZYUuzxSzWrmgLr@c`vp=>D{^&)Hm(PnjUOm<O2`'
            '?JY!|GHa|~(#TR_J4Sq1O>tN|cZ!Ye6wg~PA2N>x`0&@NTE>sdRS$m@UaKc6+`!+Dt2un6s~1~wL0A8j!Y}))E<P+*fAgcooV<uRGcWk7#Ap7M'
            '!oLAB8j(r'
        ),
        'Alphabetic': (
            'c-m!DO^8)x80LB3_dEaR+;i^FoO|!w-<j(;ckcW+-EqcI(5vHUV&Eb&3<_GPP>}`h+(-y5%&m(87ZvRU1EFkXPzaTaC|ibw(W0<TM6~Mt?$tm#'
            '=X~e;f8OW)Jy>_@D+nMkIokM&B}$A7;3S$w5DDM_tP5p4i_7pn0_F%#e`lg=q%XW_k!EQ2z)jA;6Hho`Lb@wHUG4e`V5(Fq)!fij;dt;Cf{0z`'
            '8Kht-#3gt{GzAsO!gg#CAp{eV(qcF=*|)MtjLsC(RbH7BGJNGW*)?p(#3)Eb^xk7!yEDdBE;^2pDt%^!CaVDxGe=@{ML!4gv7+Qi+0$Mxg00ww'
            'z#Fdz7HzWQ5G3Zvp6}Cm4KU)GDMv>|t|~W>>#6zR6)E0pTn9rd)1a#Vk|G;x-9$P#;GriaNzvQd&|4-Q1wwQ7C=GB|1(EfMP+wd3zgYpB`rq1-'
            'rYFha--R;N&2bLha#)GVV`dbsQ7KXPZk=)m=19;+B!1o^6D~@9y&(sv{1kEud36m1c*6yfU=d-mF~vcTLNg%li;`5kn%gMNgjY!wpVQ`H^0aC9'
            '*n13@g&c{Ej?P2v9G_OX>O`<{CT9hqy3h!+{&i>VYVwPEmnoVky2nMD`!1e*J1e-yT=QK+Mov167a(SUm$J^T^rGAzj;>tC)-qioP6H~h7?0oF'
            '>C;)-vVjDzQbxDB799o_^)5K*n%TI?Lqr9nX<)G7C&iq%ExRgHN)kG%oHOPzK;m4eeE58n%j%^=4~brxb0cFSRn9z${@1#{QE^1;^U-;Ox6#vd'
            '3QzGEf_OGUUHwcbP%?92d-r8(^6E+_Zkd5;QBORWg=;AGq$l&<S`?}WY`i||c`f>c{HegJI#__et?`CM>j=t&+;1OL;9x4KAKBy3NbPKF2sRg*'
            '+?@5$m|oYtQe1rf*v2p(#`7}`bzuIF0%^pjya8?o@TL}u%a!TeKQb`ErjNLm4>R#*HLXSv-?|R7Ma*cz$o_H2DYL-c%;o>tWpl^4jlh}(bC~pE'
            '=_>0(N=?e#I%J*lDb~rYIWq@rUD>xzI66&9#l3~iv!k{qoJJO*1q&)KdbCV7cxZY^LH4vk@z@=7+dh_T(5<$VL~_j1SY#{F{z&ab*r82}#2w20'
            '41MNvIPtD~=3Mp#zA3+4xZ!0^?Y*|SBe!<1d>h{qx1F8HTE$(dv@51`gO|R;=pv5GrkjnFb41DCE8Y)&KlpW9#%h0{+1J$CkcjsVUn;(8V)orY'
            '@YC{hII1Ktu2YdxcX3d&)YHCU%dBec;(MYRYFcogY~IbJ?Kt=JXhvh(n*Ck8u@tx|KBrc3@c}m;phfsYA;iWNzQn%6w({Kc1=H5#`q^p@TUlh1'
            'b^K`k@ndIJ2^k*<kZHymWPgeVuT%f4asMuLKI=F?g5Fw6KHgh+DDRi9$<N`}bLM{MUz%2gLI'
        ),
        'Uppercase': (
            'c-pm8y-EW?5ayfN-P^nKCn0d^1|*3R1e=3AfnA=!H}E~I)XK(ILF<5sU}I%tA!6fWSo#Fc?%g2~W8&$3vm84+xAX1Kx3lLC))4hk4>ZSLWI9vm'
            'F)9BQkE&Q`?E8!e1X_SE{KKe?ND@c}Rryz*f?;8bw1hU|Em_el4jq<FqkJw^{10bNXcjbl%7%VZuX_Ki4YN!9&@^W~#LY8UYZ5CkX*pu;SS@+e'
            'sX8JNjmTF7%-R%jMJgc;*XrQbxSN$cFXfJ)FoNag55@+vm-pYz>iiHpo_7DXhh$2|s&x4Kr=`D)sG>Mj!|Rw_!#&13C)hqmidA1W-j+uf$nLY='
            ';RL<QXSe|WMx{y7vEs?ykww(?cPPm?>bg&CZuBd|-C%Iqaz^X}D{3Ik'
        ),
        'Lowercase': (
            'c-qZVF-yZh6y|$(xx1uoY^wyl7O5IU&0wIr;Nb30&>!IF;2?+)aCcL17uUKt6$BlMf5yqtyNd;zTB<DpKa%5p@7=xcarttrcM*UiUWUSKpeg(}'
            '#~HbZ5x1*hG_1LY*_en4(0KcCJ+di=nIXxw;6r|ZSkkI@gv9kF-b8By#3o62b||85I$g@2|H=s^Bi(+D67UaCTsF+Sr+w_>AHpwRL5V;a<ZDRE'
            '!2=27S&-snQh|xiP(!_TV*Jd|GCne{HdT(bI>$ihmoWXZJe<o2ij{vqB%NAy(;D>p{cndCCzn_@O6M9f7<Dwy8T<J!^9q@K_xH__CG1fo2*qLl'
            '4zlXqEB)qgT_L_j1q+a%XY<7vcHn10_dI%vIu{S<+zg<#L{n>R+e%b)5$*O0gf6^5FAT6GL`HkP#`-5qb|r2'
        ),
        'White_Space': (
            'c-rG+6=F<blw!QE&G=u4Tb7BHQJ-;vJR<-t76aY'
        ),
        'Cased': (
            'c-mEvy-I>{6vp|T|Hu2GuV&aAN@#-!Db!%C@(Mw#5VZv^bp>8PL=DmAV9*dQHM9k_3)0lm&;_)#HFX7@w50=wb2uN*bDq<y`sx-j7Pm^B8Cd%U'
            'jX-K{K+B4V1rG)&v(FXbJv5_@>$C|DX=5kuQ2bdb=h|YjDcM-WOH(~$VRhLdPz*z0tazI^&4wf_CC5rFvG$x_%v!uwtaFyqx{*h}JuZA|%}9Pu'
            'IQnLDxpvNpv2;arBV2KqXWypa`_o&3yt@ol)?L&eG;Cv-qp0M<Uz{1l&?0(?I!Wg!jnkVn`*<KbedT~X6ml*)ugC#Ctf~lD`~8q!8SpMrp`yR~'
            '@8MG+rtJNNbVsG#uc98{t3SyJCdd'
        ),
        'Ideographic': (
            'c-jF*0J;B$U;-Hl4g<vpz%xLAqyd1k0qz0<YKrOs0UP))2-XQH3g<|S1B99Z;LQRcx*!JL0Rn<84zW59?gXL}o&@3x%O(ZjAU6CL@c'
        ),
        'Emoji': (
            'c-ke8t4@PK5QX!d+1>toX`7UCmGA&G!4OOx21$b8CFonAcmfOxiRTGOFj&AMNH7=_idi~qCg+<ubM}BlELQ|>mNZ^ri_0|Cx74_Y-5Tr(K2afa'
            '5{MZg$v1>I7^cA@5L;E(VCG<!T#_kzA5;~cMRjeim<VeJrT+!5<W7mADV;zts9IQN;_pX#G276Qv-j*t-}=ngZ{iv5P}9UCp6#J+<|uFKfqkud'
            'KAp?B7R#F08A(G!{kq0Z2W6r)8?2`Y>l7D@(>TaNvHk=1{h$SIbx7fn)!0fr9!*tK{sZH>7+L'
        ),
        'Emoji_Presentation': (
            'c-j@rF>b;@6b50<|K57By_?8@k%iJkDJc>q4Gp4miqvopuE7=H4(<^W2SCaRQsyFY>iIOMUf;MOj;>bkX~m4pM2&(b1X`lNM-Xv6@dE#zjdeWm'
            'Q|M!i!!dG)8>sqPLdP5htkuACD(P9Im50<A_Bjr&Xq%mG%2JvA?yWB{leyQ5<uA!O>y?TNhip|?$4Avg`3HzA5aR'
        ),
        'Extended_Pictographic': (
            'c-j?=u?_)27=$zP@2%Utb(bI#k<dy+NHmB<=K&-djdu`HUoG(<TAfC#)ZzgsH7bSp&19;X`SyUpZi0X-P{qP#e31c5Oi@dWoPj6k;V?3=I$QY-'
            '6R0di<C%eqP>cXc)DeeN{U$FWW%jkZJN@1Mo5#oIEJ_n&8<;A$G^}SH70|)BgG49BTlR9S!@M2LAojKuH)f#=kE7)L7JiVm7i<'
        ),
        'Default_Ignorable_Code_Point': (
            'c-jFo0L=fb0Rf=}0n7yf!WIJ43<6aJ`ws;g1u+oxApx720}$^40iXc^PYI{_0tC+~2!-7+fFNjG4$S'
        ),
        'Join_Control': (
            'c-rf6U;+RFDFDv'
        ),
        'Hex_Digit': (
            'c-k}IVrP?LTltq6OalNB-vUS'
        ),
        '\\s': (
            'c-rG+6=F<blw!QE&G=u4Tb7BHQJ-;vJR<-t76aY'
        ),
        '\\w': (
            'c-mD}O^g&p6wdeRRdscB_jLEn?9A-X{J}8n?yw8X{;`XJT?tEeSLL8!@L=KrOw_1}dg6kFpowxb95mseh8qc9G~h)Og+wL6L^v8^f*v%)g9qcu'
            'S2K%|?yjz?epTOl_1^nl?{UEh10%cPz|d7R@txwhpaTH;TObmt0hCP3cpC2kSAZ_TOxP*;MsmZBGS?%$!KYx!p+v~`)5*dDd+~H}j3Zrxv72}s'
            'UM!1<Di95dDU>l=FhNu7Jfec(f!u?W;A@#Hg+NRRvPdBma|UuPcnXS;GPy92@k4Ac^Vlj-JXnWJtQHuS<z9_Is+hI^A_5d#mdO69Ec5srkjEv#'
            '%^0>XaUOFZGbFo2ckK7fO4FJH(c+AZi>f9zf&y78zJoQ6C|TAi+)l4sqbBbvX?X{5#4VW^7r|fb(BU$Q=!96>Fi%m}Z=fD-d6hmaOcT=D|IJb?'
            '$@>tgR+b$nqyAvZF`_qB6jZ`WRPNhI@iYFQ<k||6IT7^qnrkBF*o~8pcJYXD-7!9hIz`4Mu+5n#mCM8U&3K=6YK9`+Bb6!a)E8M!-<4)DxSBNI'
            '52i#&d~G<<GD>NNN*F_eESYWRl3YFnN}ItRMno(=Lq2iE%v~(phY91sN%sXvYZA*x@78YIQEE7q5NJN`1B>Utx`*fU)}HJPe>J;u;R+5-(*;sv'
            '<ync<8#_XJQQYD^ZigfpOLOs>1gIvtJVTwhu2u_?X<{)fkTX@aUQ?8jc1Dh7`uck)nA4Jh&V2f8T;-W_k3S%KsT;&v$8s>emH)4_f2ZOKEsV#U'
            'WtpOyYH7TK(iXL%6RHnMYI}?kNq@;!Dr`G_c>Z1BEb3||MYEMObWb;^BV5pvm&947!yO*Cb8&>UpU+#pnv1`nu;OgZU=rbB$wch(tf8u_hRs#M'
            'cNI6Xw$IRtI9>bHt&?K3>Z-ooqA|Q6@={WKb$xL*nN7y6GhL-o{YT)06`5LWJJ@!!GC4F_4UaUl@UZ~NaNx{59JB3^Xk``$V0#fe3?JyHp;+gF'
            '{o+3UKL;hdB~+eYIuJhS$a$Zki$O1I6RK}&!ELNbnA~M7P*^qFRwYYacS)3%$3`h-XM$_ke{y5UipQ;NZAe_g*sWQb_Vdw$7Is6Zw|*1t)R_=d'
            '2vb*Uh#`e_Z^|y^HHLCpBmE9(CUBoqHOw)gbP^rI(GP=DujSw1hw=;QRhw1ZM@@Z`ugx#tNUm|vgfmB_HH0pUq3|Xg(xt0vO1T?YIfG4J3i1^('
            'E~3KUyY1a@!u@ub`%d^o7+Mz}6xhD6&J|zQi3$U!=*N~j&(l=BBt^(rOF@G_fcjD$!x3Nhd|^b~FA=N4Tr2&UuhGJy06!58V_2&7qs`LZGrY)q'
            'Eefb;q_=I;m^-pFr+zr}fi_;BQj+kDuc?_Y-&K=$(Yr5*zF4RD7Ev(q1iQ;2W7J1T9{*>6{|oSdyK3wE!^_Y7Nx8qkAs7B@<bO#`k^9%OJ8$pZ'
            'qSp16`5AO}s_@xz`hY(!UE*J&@4Nb5>-P2DpZFKSmy2c'
        ),
        '\\d': (
            'c-m!+F$w}f3`NO|JH=B3MZJO6Vr^|@ZEfWdtOa3fL6~amsjMx<YEPhhl(F>>mJ$+@{QQ?CX+UkXM&mjD#a_7~I+b?Ff}7)HBqMM)cEuWKuZ~nn'
            '6=kMn^hBN1ed>|qCKS(_ixp7kgv^cuVX`H8HL;Q@n|^5Q&f<@M=-4AajMsGa92YHnKE^u`=X?PT2P;q'
        ),
        '[:alpha:]': (
            'c-nK6Vv_;@0ek>_'
        ),
        '[:digit:]': (
            'c-k}I0ssJP06P'
        ),
        '[:alnum:]': (
            'c-k}IVwYl*0ssN%0DJ'
        ),
        '[:upper:]': (
            'c-nK60ssJ>09*'
        ),
        '[:lower:]': (
            'c-l*p0ssKs0DJ'
        ),
        '[:punct:]': (
            'c-m9s=VF&)lVSk?0*U~D'
        ),
        '[:space:]': (
            'c-rG+6=DPc09*hf'
        ),
        '[:cntrl:]': (
            'c-mu7h-U-<0V4o`'
        ),
        '[:graph:]': (
            'c-m8p0{{S`0Du'
        ),
        '[:print:]': (
            'c-m8l2LJ$}0Du'
        ),
        '[:xdigit:]': (
            'c-k}IVrP?L0{{WQ0B8'
        ),
        '[:word:]': (
            'c-k}IVwYlJWRwB`0;vFe'
        ),
        '[:blank:]': (
            'c-rG+6k`Mc09XJb'
        ),
        'folds': (
            'c-j@&S6|!O+vf4hOUqkjzX~1cHTW5o&+wn->3t;5ruRP2Gv$bm4J4r^u?Y#iH`9CX7#mCn(@SV6Kp@?jd!PKi){&*#vb`kz<$sQ(e}O;!OZ=68'
            'g}?f*@z?$h{`$Yg-}ra%{(Jn*|A4>s9~+bKxBnCV&VR<={V(`?{}q4#zu_PJcl^Wufq(Qre=+>y|Al|@=lG|8fq(YDVgDaE{};*s58bX;;*f|j'
            '*P#pJt|J#FT*od<x=vh}a-F&`?K*QcC1J*O?!v6=tqXIm3m4{Hmo6;0u3T7jUAqu=-MFyidgnsK_1=Z3>w^o+u8%IPxNcpDx$az8b=|wL=KAEq'
            'y6eG(4cDU!TdprIY`ea?u;cpX!mjJP3vt&E7xr8~UD$UeTsUyOHt@^!g&~EdGNiF|h76X;kj1hYe9X^~!*Ut&*b|1Q>={EoD_|&OMGVEPgyA`R'
            '!SIp=7=o;n;T0=mc+K80l(PzkN>;^C&1x8GSsg<?YhY+(O$^Pfg`t(TF?6s_hA!64(8GEe`q==(ARA&BW+M!vY>Z)?O)yNdDTZk_!!XO{7#7$f'
            'LzpcwL|BwznXNFy*eb&sTW8o{n+#iQn_-9TGQ`;)!#+D;IAli*$LxgRl$|l0v$qTv?2_S%T{GOUcMR{@2ZoRAmf?=wGkjtX43F$H!&ml=;XC`m'
            '@RKEIV8SFvs<6tDCZr3<5Hba132PkLf=_^7*x<+!HaT*IJONLIJps>zZH|0lm!m)^6i_4_auf?E93{e|fak&`#|z<t<E0P~5EO<vN`*Kb+$-S&'
            'N11TP@meV7cq2S;lnWICDupTm)k2McS|P=aI-y=bgOKh<v(O@-Rq(mdCbSC(2{~?b2)S-_3S9!ag&qODLZKUdLcf3^VOYSZ@L9l=FfGgom=)%P'
            'c>xQ;q7W9aBt!&6g=GONLQKG_uqI$#*buNOYzf#Fb_DDSaRK|nfq+BdNWighBH&aw6L2oP6>uS33b+!k1>6Yl1iTkM2)GsQgnI#>ga-j%gs%d='
            '3Eu_$5Pk|s2)_iR@Kl;BPv^+snH*U>o5RQbG*X_+k;k8KJmt@5n!JFckQdP)c?rjJ{({EG0~|qK%JGVq(aiW8j!Is|QO#>OYIz+;J#XM><V_sS'
            'yoIBcw{f)d5Jv~^<QU**HU{|+#|S^SG0GD*#`rHA<9vc+iu>J|=6P<+@L7&IKF_hh7dgUwi6g?J9LxNJjTQdRMvQ;75$8?xDIW1=>M38Op7AHt'
            'bKXe3;;qzcer)50x6sR5{@%t<erhAlJx$x$?hv)i-9dfrZl_NF77+Wz5epxGyZsG!zuo_a$KO8xhVQ@q6!GJ?govNN{Sxu(w|fy;VzUUJ*doF&'
            'wu;CR+eGAvVG&QoB@xfWh=_b~)k1+75>Y62h|401#7+^#VwZ>#v0Ho)@m%Z?@j~ns@lxy)SHw>ug5rSqQADXYD56Xp7V%mf5%ESG6;UpZi5ns+'
            '#BuRfM3p!pPKu}&r$p3<(;{lc8F5`ioj5C^UYrxrAkK@mNoW)oL^O$uBHG0h3sG@X#Fn@%Vn^H+5f}GF?288?4#gu8$Kr{IQ}Im1x%gJZg?K6A'
            'O1u_vBfb;yUi={9PW&q3v-m~CH}SiO6lqyPs<a{@O^QiKmsTZYNNW-@rF98e(uRa=X;Xqv+LGXxwk709I}&oGT?u(oT*4D+Pr_4aU&1r#KtjIM'
            'E}=jQNhp*$q!bT|q)rLNQkRtKL5b8Y;knc!;f2&I;ic3kAt3cj2ucGIN~J*wucRRfWzw*O*V2fT=D{0jR6@BlCZR$am(o3`lqRGMPo@V|(xilH'
            'X-YzkG%cZ4nvqZ^%}S`3<|H&o^AZ}R1u4seCTUSZvlN!lA}vX1l_C<_q^N{L=}5w{bRuPYa4MZiIG5f^xR5R-TuIjwZlre--b)`Oe3Wh_+)4Km'
            'K1mM}9;MF`zDQpse3QOQ_#yq2kdS^!NRd-z<jA=)^5iEnp32W;<jVyz3gsdh#d3*^=kf~~FXe!Ypj;~Bm0Tv{wfsg#xm+QmQm&FwE!W7XmFr~G'
            '%MCIb<t7=;a*K>sxlKm99Fox?cgpCJyJhsqy)ydbei;Mupo}4TSjLDvDq~EJ${3d?WK7CaGN$Dj8ME@7jCpxM#-bdSu_Q-iEXyl0V)CktHF;ge'
            'hP)|bOWu~TBk#(H%X>2R<pUXq@{x>V`9#L4d?w>uek<cbzLaq#U(2|W-^q9{e~|G}zLjw&-^=(UKgf8LKg;+cf0gk~{x0K({8L6k{v{(tNmY=h'
            'q$|i!G8JSg*$RA$UqOzNs~}H#qTs3WOhLX<prBAGQc$dvD0r^CQ1DU-C<rR03SKE?3SKL36qG9!3M!Q<1=UK8f?B0cLA}zTpiya3(5$p5XjR%2'
            'gp?x%9m=tSPUS>FmvXA0TRBtEqns<~Ro*J-Q!W(rE0+oelq&^;%C&+a<wn7<@=n2s@?OEH@<G9v@=?LKa;soMxl=Hy+$)$;J}H=19u&+dj|yg$'
            '&kE+0FAC<BuL>5FZweNb?+U`o4+TrgPX!Srp&+XKQn0L~{EihR^>@USwBNC+r2mdJCF6IjE1ADzL&^Fb<!VYYD%8|uRH|vos8Z9DQLSbqqejh4'
            'My;Baj5;+t8TG0!84apG8I5XAGMd!fWHhUJ$!JlZB%@V*nv6E}Su)zy{A7gGf@E~4g~{kti;~f$7AK=yElEa?`aBuE>WgIbsV|e!uLhDapazpM'
            'sFo&UNPU%zVYMt7BkJp9jH+*vF{YL$V_dCB#)Mj#j7haB8B=O?GN#p<WX!5{$yicblCiAjd$6Jwco0(yJy=zXJXlkUJy=&uJlIg5d$6g#@L)@Q'
            '>A|)d@L)#`da$dOdJtD%d9bIJd9bg(_TWH$<H4a??!l2-;lZ(5>A{IwMc-+)+JiH-#)EUU)`Pcdod*|cy$6?Sg9le?qX*Y&lLt3yvj^|g77yO5'
            'tsZ<(+dTNFwtH}^hCH}aJ3P2oJ3aWMc6soic6;!s_IU7F?e*Y`+ULPnwcmqp>VOA7)nN}3>WBxw)KL%0wT~MN71}MeQoEy8Y4_A>?Gv>|d!W{8'
            'kJLKtGqqm(LT%8#QX92z)F$mawORW?ZP9*GTeSqWP5VV{*HUOv7t&Ix9a<W-Q%k3IX&KaREtA@#Wl?*zY-*q8qxNfl>VTF*9n^BELs}knSbIVp'
            '(VkLAwP(~ZEuT8B6;LO%Lh7VeM4i%#snc2sbw+zmoz-4Y=d_p9c`ZO)(1O%Ot&|$pUQw5{GHOJ7O^s@AsLNV8bw#V7#<WW6s#Zl^)2gZKS`BqW'
            'tEFygb$={hwR-Bd)<E6S8mYTl6E&_iQ}?tM>b}-WJ<!^yhgv)JNDEPqwGQfu)=53px~OMbH}zcWp}y66sTW!w^-}AnUTFi=Yi*EvqYY8tX~Wd_'
            '+6eW7HcI`debI2MebsQMebaESeb?|w`=Q}M`>Da_SqQVmFoWNdLnq0f{fy8u`Oi*lJpD^Ev|>roQ+1^2={hp>OdVNzwho`}*O8;=>d4cd=y<9>'
            '(~++i=qS{SbQJ3)I-ct<biC99I)Zwsj#qk_j@SAd9p!q3j!L~sN3~v~qgJoeQLi`XXw;i@H0v!oTJ<&^?RrQ@hu*29OYhdvqxb6Q)BAM{=z}_j'
            '^kE$%`lyaEeO$+cKB;3$pVl#>&+3@d=XEUTi#o#kl8%TT)v>Iv=!og7I@a`c9UJ<ljxBv#$Bw?MBd+i1*w+tq9O_4UsexntM8~OqrsG_HtK&ky'
            ')N!R>>$uV1>3FYy(D6~f)p4ia>-eNU=y=pW>-eI7)$vXLuH%RPQ%6Gor6a{iHIQbc8^|y+4P+VF27HF!K#q}XAkTPW;HmM<K)z96pwK8XP;8VK'
            'C^sq$R2o$Vs*M^0wMLzRdZWQWqtRrb*=RA)YP1<>H$nzFj7|exMz?_;qt`&6(QjbD7&I_s3>z3RMh%P^;|3;-Ndr^Hw1F98*1()GZ(zY#G!QnH'
            '3`C5mfn{UGK+IS*ux6|q*f2H?Y#G}Ic8pyEabwTGzHwmS&^V$o87Br#jWYx1##;jy#-)KP<J!QD@y@_|<AZ^Z#;t)n<KDn0<H5kA@!7x^<Ew#h'
            '#&-ihjGqP)#xDaYrq4vG={J#P=9ow~b4_HJc_uQ=CnmDYrzWz^XD0H^mnI6#fQdpgXrjn0HBoH7GEridnJ72wO;nf-CMwNF6IEuDiE6XiM2*>E'
            'qSkCRQD?T9XgB*zgv@>u9p-?EPIJ&impNpj+Z;C0V~&{UHAhX1nR6z_&3O|O=7NbybJ4_<88$I(E}2*{w@s{?yC&AnJrkSefr&%&!o-nzY2w(t'
            'GI3&Fn>aOZOq`kTOq`qVO}sTfnD}T8ShzI@E!>%N7Vgb?3!lsd3lHX^g-3J8!e?{W!WZ+4g|FsU3*XEu3*XIa3qQ<n7Ji!FEu>gJ3#pdhLYkFh'
            'A>GQgkYVLn$h4kV$g-YV$hMwY$hTh7m4X$pP-q1$6j`Mfimg``N~|&q&#l)MURZA|lw0){Dy#+zl~$vLDyzvtwbg8)#%i%pYqeUav)U}QTYVNn'
            'R=<T#YskW+6}GT!ZCO~cwk;f57Z#4JOABY#4IP{H!$L<=BngK}ACqvDben|Zq`M@XB;6<BH0e_k&XOLIaGvy-gttkblW>vrB?*^FUz2c^^eqY3'
            'N#B!jlk_7A?~;Bd;eApf2_KSvB_aJ!8Gk~LciD?x?}`_F-k2Bt-c>IKylY+zde^-e@@{xB?A`QY#JlCisCV0oG4GBS<KA5_CcJSkCcS%JOnLXc'
            'nD!ocG2=b-V%B@)#hmxpi+S&f7Yp7~FBZLLUWC2pUMzXvdJ*wncoFqpdXZwc+eo!Tbm3=r*hsfKZDiP8HZtvQ8(DUbjcmKuhR^P^;kWy3<k$l?'
            'a_vDIdG?TvC-yM?;MyZLp4p=|^6fDj1@^d&LVLnSkv(an*q*XcVo%$6ZqL|wVb9ulY0udR*z-1m_JWO4d(p-#J8YxOUb6Apj@Wo(M{Shb%Qh<P'
            '6&say%tn>HYNOg-vr%KO+o-iSY}DDCHtOvy8x8ihjYfONMw7j3quGwzXtDQfwA%YN+Ux@xhxU<;xAujNOZ&>kwS8mb&c3(tU_aVOaZ(+mIq42E'
            'oJ<E<PPPM|<9Cqb<T}W6o;Y~wJadrm6gVh!iX0R>B@UiDFC4sd0uF*sse@NenS<BP8wcf1g@a0`%0abL<Dk~5b5QRzIB0a595g#E4qBZy2klPC'
            'L5I`npv&oY(Bt$v=yUoV3^;=hhMZvsBhILUF=yPtgfr=2%9(aB<IFmkbLJf^IExO#&XR+O6LqlctT>1{s}9zjbq5>Hrh_eK+rf^r>mcszIoNj&'
            '92`1F4vw7@2iMMxgLlq*2Y1dry-}Er(;w?Zm`xH>VKz<7gxM@H7iRNBILwxaNSH;5<uF?zVqvyQtcBS+u@PpQ#8#MX6FXtHOT@!$kJt~h1L82u'
            'j)>zhJ0VWP?2I@Mv$w=Wm|YTAVRlX2gxNbHWr?LOF{CZAbRuJkWfECSESvBxF+Y*B#BzzeCH91Py2PFl`Ae*TC|qJiMDY?UA)YU>7sSgY79fI4'
            'tdyvXuqs+fR7Y41Q5#`(M16!c5RDPmL^MZO3(*>3ZA3?ebrM|>)=l(8STE5RVg1BFgbfly5jISWMA#@X7GdMWM1)NeQxP^z%tY8MF&AO;#6pBE'
            '65$A2A|eqMC6*&>g@{GiDzO$}>%>NcZ4z4%woU9r*e(%|usvcw!VZYT2s<K<BkY7Yjj%J~Ji^`*7ZG+zTt(P5aT8(hi1!ipf%qC>--z!K_Jc@7'
            '*e@a_%2H`{l@?{`L`IZl5?N7}P2@&d9+4kq1w>(#6%oZzHbp#-vKPe5C<_q5C@cNrHe-~P{c(#a%H9y=QC2}zMp+e69c48{ZIsm!^-<P9bVk`K'
            'EzG;3teduaqO6zbi?V)VAj$@bp(q<BMxtz#7>lxTVj{{WiP<QdBj%%Qfe1(0(jPZ+qiluPh_X#$E6TQsohaKS9-{1#$b1yC9tBh+gz<!c%7idM'
            'R3(H-qB<c=5j6>6ny5_(GeliNm?i2H!W_|%5ax--gs?y~C4@zyIU$6JmV~fGv?hcI(UuURM0-M5CPE2eh3H5KF`_detP))bVU6fc2<t>oLf9aB'
            '6T&9Zmk_py{)Dhi3?zgdBE`q+eH^Ji-aw@Jcq5VS<4r_{k2e#UKHfrP`FJal?c;5P&&S&dzmJEA93Sr>a(%p$$n)_o;)#!U6Hk4-hj`}Wy+po`'
            '_Ynm?-cJ<z_yAGl<AX%8j}H+gK0Zu5_wf<pg^!OCFMWKB2>AFo5%lp1qSVJHiB~>8MU?sYH1XQUXNWgGK1-DQ_#9E;<MTwNk1r5aKE6m)`*@hB'
            '@$n_1*2g16osUO}c0b?pbA<eSo9OWK9ir3EcZn`Pj}zT~zDM-<`99I>=LbZepC1zaettv@`1vt0=;tTIke{Ct!+w57jQIIEG3w`Ui7`LFAjbXt'
            'l9=%GD`L{muZbx?zaggm{2ejl=kJMGKmS0?`T0j;-p_A|1wX$d7XAF52>babV#&`Rh=`v*5>Y?@Of38P7h=WFzY;M&|3<9(`FG-D4u6r$aht<m'
            '5_dT~K-}l>An_@Oml6*-{1x$-!^?=zIs7&8C5OKuzUJ_9;#&@{Ab#ZVD&l7juO<>XyoUId!)u9@TwX_{=JI+XEtfYC>AAd-$jIeQL}o5;CbDvQ'
            '3z416TM1t-ZzKG<yq(C&<)J@r!sqf%;z=&=BA({*ZsJ)k?;-MYc`s3r%lnAJT;5L<=kh_KB$p5Uu`dBW7NC6z@Npt7z$b|G0G}i>0(^?d4De|p'
            'E5K)n>;Ru7d;va3_yc^N$O-TTA~(PniM#+06HfwsiFg{|5#m{ZM~VCZUnU9ye1#|s@EB1P;HyM&fUglH0lrQ=5AY4*MSyP-F9Upw2n6`{ACDCR'
            'e1|9v@Ll3nfX9il0N*2C2lzhmCcqDf@&G?1Dgyk7s0{F9qAI{oi0S}8C29ivjHnIpbD}Q5-xBo!enB(@_$AR8;8#RbfL{~M0e(ZY1o%6mHNf8!'
            'Z2|s)Xb<p@L@2;-iH-ojBbI~wW020eAipJIL4HT92Kha)7UZ9Z^&o#BHiG<-*bMT|#8!}hA-043E3p&g--z8H|4zh%{0FfY<Ufi1AWsknLH>(4'
            '4Dysxj-wz?C60qUjW`MNbmBC~Gl;Vw&m_u2d@Mxc3Gs2FGQ=l{st}(fszZE=s0s0DqBg{5h`JD;CF(<bj%Wz+d7?4I7l@`1UnH7CJWRBN_!7|?'
            ';t`@P#G^!eh%XbN5MTM@F;9rch|UmSCAva<jpz>Xb)qN4H;CR4-z54%e2eH0@oi!t#CM3n5Z@(+LOf0khxi^b65{*BXow#WV{!Lk+>P<L`-qr`'
            'yN`*<xch{din~vV>A3rhn2Ed3iP^aOEio5&Ul8+g_a(6qcV7{UarZS5j=OJ&rMUYY5sACs6VbT)1F;-;e<W7o?pq=jci$1KarZs37I%Ll*5mF6'
            'Vk7Q;BsSyj&%{>T{e{?$yT1}UarZZ3H}3vU#N+NC#9rL}lh}{D6U0H>{fkJ6iIp)CsWGvNNQ;TpM0!lDAu?iOEs+@$>xitFSWjff#0J6_6B`MC'
            'Ol%@@Vq!Cq8xvcIyqMTZJc)^I#M7AAPCSc=AtFB}b`S+Iv6Co_iCsidOzb9#V`2|c5)*rg=P|L5co7r(iI*{PfC$9IK_VCvhltXcI83~Xi6cZ='
            'OdKU%$HXz>O-vjo%46aLQ4td-iT@9HHbKt'
        ),
    },
    'oniguruma': {
        'categories': (
            'c-q}rU8r406?T5s%-(y>x#!$D=gdv+$+|iDyG@#;O_L_6THBzsSXyd*u%#mYU={p<_CXNzB~-C5MHKO+f}j?kD@bd7Dxwupp@J44M2asyD8(l&'
            'DC)P?>~nIH#%Nnjv2fSfv-ixbS!>q+x{FP-;j)<m*38IcGXV^3?pmAO#O6(d?-?^QGcdDFi?<2hCi}3@WIr_pvorjX8DnOSk-SZ8!qZxrOPE`C'
            '$>a@VCeiG&X3|(=%vA*Y8s}dd*wxsr#`1J{_|>@1*_Z9JJJv71<BtTJ$FFhvb?5JE<karK<gTimmJs{9sMPwG&EE$8=Qevk8~C*u`8YEkn&#JM'
            '4~5k#`65`@cxR!d#<P_#89XtbEN86a*_s1-oXFsn(Mk0=SxV)UIq~1QfkMGHSM$#8>tq{O1$f(t7KD7ns&`{s%+&DlV1_1`Y<n=F;W>HsWOL#$'
            '7yoCbHrtY9cJA_mjPGa`y4Gh)CVZIionjEb7lQS`Qhcz~wT^HGtz~H19JU&^XdW!zPryWL+_n3t#d=fVcRgqec3Q{><6D3OK>j?!?%m`t!YQ1H'
            'co&&jAZYHKxD7`@%`Tk12qvDv872bA#U^-+Y!u2mvO&B#F!&MaS8fP504Tr|0oWrvbKMR4*+v0*Z`efG4OTh91j?~<8j_J46z*lUoXmmzMOf_$'
            '6f?VM16E+Y3l3i*&XlvG;0#Xa&s~qJ)$`0nxM)Qo0b5-sG~z3b<P@b26ip+(1gyC{w>xp^ja|fXRLmE1EYU5buI>PzPHFRaTIE1+It2$9$UW%&'
            '<2?%BmBxUZ6v?|3<n9UqpUgEquN#2zl1Gss?g^(<ii8&6uq!^nV~$DVu5g)mV(Bj7kmB+#z@^}eVJVr)pS;C^$R;jt{s`u(HkcI`z*fA>#+a6O'
            '(}D)k$cjIMf9R;nPpFL~lE$9sR34B9&W60@hVp<<2=&lX&t?iNz7ZWj=5c6svjo`Hk2_rr3jt>N4iC?;J;mo~A$nY3Gss9>u_2VM?c|2S3M9h;'
            '*eJJk5OP|BtVyk(#4`DyP>7X~5PSq>Uxb#UWaS<rbSlan$<1_a$bn=GJ<yv1AJM^vhbj@AUvDfz;-Ud%TcZx74qtRs{1BqjPpm4E?ai=`kMz%d'
            'mzjeJ^PBteJ4j5a&C}$dI9&;RFHi>wc*8%!wr~&YWHvTQcy@dzx$L?I_Lha>*z!bV9Bpp##fAY7d)dqQMxBeHQB6)k{FLO0s&BY)NHGNt@TNXH'
            '@qa<S9e@l^;{<45*e@0hpLIKRyjL(or(x%@T1S9JK<Wi{1Bq{`L=zu_Og2e0#DJ;&Wka+~?Z@WRy|u=wNlI4(Je^pVo-Pox_<1XmZN}jS7P(!o'
            'zL7$23!%zi&W*V%ZD`?zh1)GsUm)@Yb>hX3=}xP5s^4P6J|Cn8C(Am=1T13r!b9-5ON}_hM<EJln%syL=b_RKnS`J^Y*dGckJ(%O5Shw;d&r*)'
            '|MzkBszLjP;Gr>MtO1(RVBB2vUNh7SAhT;$SGpx2`(&*koYY!w=2q`+=CM}C>}CxV&ds2Yt9j(XoHme>pwdI#whq+#YsO7ByUcEyn~hdykmn4X'
            'RE6*%saA)BE*tEH-<_kjL-rDq(|P1Z%MlN~<9*W+4}%9=t{H@pWL?Gs@YLEzYm53mfmvW=R^a8SnLn(?+G3^TL7wfcR+mL~j?;lo>x0fDi^xP1'
            'Dt6-Qyg~%*#Wxun9Y1O(aPWN~m|`mG+q*HjRd!DfmoRx}DV)lTZ%%iYlAe-%E#ORPCJ*BIl3DG)9Bidyh4d2kPA)e;o}9Pkb7pcS9GAkatJMn~'
            'J!~f@$_!kE$u-6D0@3PY<wRe5xJxp2zslmFUEaMR?B80|mdbCa9@l4RLEaY2!JE{5Hz5)sN62f44;$2KAiWYSLT?QKS4aBWYDWaMg1#*+=3)^M'
            ';!c+>qM@!^8=`9Hdn!9&xSuy6t^3P>pEqTb$3@#O1!R)xE+>2Ya%~&JTt}v~odhd0B#)yy#ehQ%-z#Ziurn)PhVR8!=Ox%21&i;Oz*l_g%7V5_'
            'ivT>Pz1Y*Gt<oS_8l^?)(lvNKW6LwA=v?{g<G|wo(jb#Niw%c0$~_8?f^+~`2g-pd|4)TY;y#cTN(ts)b$N@@42ejGv<xA6W7c|Y1^kQk?)6n~'
            '-(0yY-$^^YQi`dEE3NT6PPbLM+`~mHXY8s(2wQ9vNdY9y*`S(6!5Je-3P}rYWT-ci$Nk%QlE#>CGzklwkru%UM1M(AxjlsRDsLbqN9u_}ho!XY'
            '6FJ+bXf6(=xb`T;frTVd^DXp|w0H@+Mxd3HR*Ec1<Z7t^y+x9UVqsYTo}^lINkK$f_{jS%DMFy^iTboZE1%fWp$N1+TyQH$>Sx}!Dj(1H*aK9{'
            'z*?Yb!m26i<M+`3b(-fJ0O!YVI)8G{i&CI|oVGdI0h72dxd$?nVP6879R>9#X?-^4KVS%VFfQk?^^ADBvOw)=rml=b?7O*v$5P!4?cm>q7^^#w'
            '%S*Ip^<q0_H3JwTwo4~sYO`0O9+5%}sXxD(26Dezj|QjyIPP{Y<b2^~t(MbvinTLS@C1t<L9b&sM?xUXqF68}W9q$(uw#w(^Jn4f97sHl5~3}q'
            'JD=8zO^`MZQEr%WJs*cwK5SUj>INDiI?R*j1^LwS6mA&G(h+YH1>!Ba{4BL1zGmvK<-_K%y_>2i4;s%0t%p}^pxUCU2^rT25Nm&t6U=4=h?;vj'
            'tQzoBC}O#wENY-*0Y&V!fY#rpJd31{^(_Ut-wh?8LAGW~OnY%qn@;pR6H_XL^b0FC@n-Tl1U=Y8vNTSXuS=rUQqUnhid|}X$67a{_zG=`+~z1>'
            'l3H0>2%BXONvnoZL}_>ibi`b+r%4l>(WDGz^C;e9x`*$evwX@7`IL>Ya$FN^x|U)%4N<2Ult|KMLnRGspFC%HZvw+wWojpm#vtk}$YVma4)zMn'
            '-Y3chRVj$h+dQL~rYsS>n(JvALBl;y6Y4}YT7x-p5XWo(O3XEzIkXt2YUY-AYnLft%|Vhnu+gr87lV#+<^gdmS+I!HIsq)LI2t%BAFAo%B<=Ny'
            'bxczNZQ7gDny}W0A!}t9ZrM?=8!gzO-mpY*UecQ*rNmyLH>G!@&cnyrnR0R2K_aQG@fM}_3`u)ErdONo+RKaD`;r|v!S`LV+8Y!ApKzEEMqoaz'
            '-9jtf899we%~q`(u6&D6RBV-!+WpX55FvltfTh|lTuyFeFNMEuYgQK{o;@kk!#t5Jq%YpXlBiru_i4L_=e2DWtDl#m-HXpok|RZWT1-P^qxExs'
            'fEQ+Ar3W?8o0NNK`di#Zq4v9Kr?7Uy)ZIHMb=TgmJFZ#wJGEn4C2Zmxn7VM7lt58w?F<_YDlS|{!xdYUhcE%?R({e*zb3CKC(`~pM7341<Pukl'
            'xk-|ShqOD23Mp1r0C%huU>gTHZI(&nFRIw8RfT@Vf~2J<vlm1w3jU<ko{oen?HYmv2_XBSF$9#$#Y5=_hxcgTbe5Xpr|V@1nLifkqx@h870ii$'
            'Xy|8C{t(n<$WJsho=fjy1bh10UU-2YdwTjboZ}#f33TnVLw?$W25I!vi2N=c1=iM%wsucY4AN5bNXbp<wDB0>3}(PLp(haH{b2+F2kM?RD%y?Y'
            '^GEnj^4iKg8{v1t(4S-LH5Y{X+qlLrT@QVHzNI5DhTq@DUb=z+EaGojaqq-^`*aN^+3=%|KA-s$ICTi$*2>MvY!Q|6^WSXopFkZb|E?={@paIS'
            '4I~ktDmU|=g=#6dZZ4t-u7udkq30!rt>VMmP&2;0z?8~o;35VJ_aSB8ogP7;GMjeONEFCc#`XVCR=a`nluEsk>Q)miS(kL3#1JnXfj*`zzd%UZ'
            '7jXU8ivLpBgY<2;F_YcaOoIJSNA<sEC)@MBoDII54AK%^E7HWIJQ8X0C_D$1MB+Dv8wvJTwGq1>tUg6EC3xQA_d#+G@o|YEA$qI2A#LPmtVGtZ'
            'E*(Fp4?@@UIS1=EUS6L!qBh!P#q#`uQ`_*XIB)nzV(SQB;Rx?H`{7Hlu~)n=2YxFm8JEn|r@N2^NLBNLx_#cGSbEH^M{5+|U&;653ht8im%?(+'
            '_x{`Oz$duZB^Bv?`a0c+0Qg1A$BO3%PymjgNh4$>0*9bk!}JYPZeoTl%96IghRYg<@|fYjnnJT*6F#pahmkzy(-?mM8TFt@8+D}5n+k-2Z-?>R'
            'k_-voY`KMhX>r^dKFG$d5Ee!~K4Gz(^A%K}{61*?7aD%y=av@y{ROV$x5C@Q$6+_$c?%5bMNi+H@Yg;4F7Z#19`Oqc`o;H-BEoL*2j}Mv3@3c)'
            'Z;t=|54XqmzyAcaO<dd'
        ),
        'script names': (
            'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopo'
            'mofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmi'
            'an Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptia'
            'n_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi G'
            'urmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Insc'
            'riptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Smal'
            'l_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani'
            ' Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cu'
            'rsive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_L'
            'ue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old'
            '_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmy'
            'rene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham'
            ' SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_L'
            'e Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Toto Tulu_Tig'
            'alari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square'
        ),
        'scripts': (
            'c-noJTa2Am703T;fBU<h+g#6dpP4!5%yc@p&Y78>X*<)empNtHp*_6|y-;cyXla2WR6(g!WhjMGZkC&+1qzl5#TcWBLGcNV;)9xCqKyy65MO*S'
            'AwC#mj1T_z*Fz;}eE99X_S)BPt-aUY-&#|sdt}T=Jx5&AQ5RDpKXK{<#-&1K+RV{dSHw6K1)EDnLz3L;#L8$R)0J$Ysq&~4Rs6OT1^uo<l{l_o'
            'axy^Yq=q+{f~&=NBugApCXr6X1ugO2lzVmdj0jep5%xVJ<GT8?WU=y2mhK#Vgv#6_tnS*WAUg%AGvcD81xmZv#O~dCM_I?YvNDCTP6>jPf+Bg!'
            'K9Q6I&2re#>r_CUrYvw-HpCehc;nQKvma%jsB3Uy=5C|j8FyIrp{cWZ^LPYjR1gxI=ZQ}gaYq%RhTfqpqd92i=}|vv;~e99k8xcjPuVAmxGaYa'
            'y>rYb`kKDwSOj&J7V*xC1IJ3*N{LQvq8i1d)<OELXt<wjtZX~aCRwzfr9Cs}S>f2E!zNAV*(AKC)91y9Y82VmCfX*Etzf&%G^<DliHJMR?hT!u'
            'X5VR#SXm|Y&U6}?8<~@dM(*9H(R8Ci!In>Ru9nkW@d7J_Hj&eu(6>5D+*l1A?RT1=64_dIOCx@TwPLznkws7&*@n1eK|}7?sFJdkeG;*(H<q#C'
            'RgTs7DmxD}Btgz5K6OUD%Hdv@1N}qnIph+B#Y1BB(7c-1IKWRE;Odx5Lmq16J^!OF$9zRYo+0G{2ZaF-yE+s+GViu@-|b-232{v71WlZORzk?L'
            '(!NZY5N*x0-gDL)Hc`*<qxY|;Vb^;JYEBuM6Vo>5;ifqsi|1U-wnQjx7Nj@p1li1OvAOs>jpjZtDU2M}C>-{XI?Ro8xV*lriF>bU`UQ^P{Q?`M'
            'Ua&T{N!Aui@e*wD1y#THv@DGR=xAz_gB)=-jejmxbZH#=V<>o90ywdl4Dn-aB=(476w5C9>uyDgOPFessY`LTE|pq5uj+XQACL4m@}LoTKBh$7'
            'GUhpwP1*=rncDyrk~F8-Z5S>X<y4X~-XT+W&|`AwiF4>@K;uFf52fBon$1w%F&gJxlV^u^yzZNMmHQi=k23q-Y37E@_4^Ah{K6-<!PEtNIxg@i'
            '$pz^c2oqQTKgz}ZrWb{(;HGLCSEO1%yOAmbY}J^ss$(?~7+s~YuxpBbh?Q}s#O$pxuhFs@!Tt#zQd7?Kb32G>s+Cx-nbO1#GgcF`r*>J)dlS`~'
            'nZG2}r^B~-XeQt078>979d$|CFjw3Y1n4z~_`x$YkE-)?NKkJ_wqE%<+egO3)Yk&co}>rUC+YcedGtE2@w&c;xnbmC>7H<~bu~MhXf>nL>e2y*'
            '{d|aQo_mq#eEGo4i?RUji_)<-g2$bHmH(J%F>jubF4uKM%Wv-(-OIjvJzUy7kw(Xa#*&GX*Wn{oRk*9#55Jy<>$)gR@=OyUszEe)pKiimlvZZD'
            'R#>imh%Tc^H^uf_vau>Iq(xha=3Km#a7x&apG5awy%tj@qWLN`bcrA5O{i-)Ec<Nfn+Uukk=`mOkXE8dZmU9eYcGy(bzwJA#W)DfHg3cWC8>;2'
            'Bk>6yr|k}wwB{gjC!6&h4dEQ^TuiTi!A0>68`Iv9zWX$?_YGrvY5XxMK1h>1=%Me+I$>~8fTeBpKwIitHbmLPw~4aJf9o79eVq~FhiXfR{FVs8'
            'mId(W>tPbs*Td_g4Y~v)M0IhkNjblQwJXYBDIE+D9vnyOa@H<);V$obh;1G!?BM3#QA7E&3-)QW?Nb=tr)St^#znx~A>A{y+l)pu!%KpczgYf!'
            '83Vf*f_8;i?$M%Neie`Qs@9e4wX$WN2T9L!vHrYl$Hp&BV&dKm@!{P&xHLet)I<NEgYLlqYVZR|o&m#`Z6v(RsH84S6C6DWtq1Q9F#Lq%QFx#q'
            'T?^XK(H~-KmKMzNz+`9EM36PS`k&;C(UaWV%i4M2v<DdYOo+KhIbz#s?(&vd!Px8?__xt7M3Wpz-R5EC^)908J?Ighn-R`V@|1m|h)X068#NA*'
            '5nj0?3?G#J5r-{Oh%Q=}U$nQXmHKV+DV@HiQx|y_nRH{{9h~5fA~w86P4t?)DOi4r9r{m6FV^3}ac}XEnQKM-4I8*^(srN=or;%_(&$j{^1ao2'
            '5I4L<Ys*{W_i!>2^l%nZOmc4Xo)A&bEP_LHFi9Qi#D;Hk&KsVR44PV2e3kYqza!{<hVd_YhVz7JL4{<~5xUb3%DZWo-7N3k2!9WUB_n&dhZ=IY'
            'hhMPAgEz)9S=7kAF%CWU4xMxZ-&kt}Lu={zwL2l(a;To=^nAXY_d5^a-cA~$Glic?=dapupgV&rL0^QIOMNbWp`CY^Azt!+2Jh;?N9k7D@>Yhc'
            'TerPr&H55oTnu@}!w9p-BSgpPLDGKQMeFhJIfysBFSz-p+p%fC#)|!1%KjSUoXB0OD(g~E)hzxoc8(^Q_s+=`XWbBFU3gCZydJv7v4|p4dreI_'
            'HJ<yaZa9qUQp>VIfTx_hPPX94LcYNkGGr{|M=xaTT&T?-iuflV&iH|2He)na=!iqyZ&u;&jJOzJ5L#oLxY-1}AN;szbiA6E)@<cLw3&3mZr%>Y'
            'oD%G0<hq_HW8<Ala(lg`jU@5UMz*y{VB{8Pl)I8LEt|Bt8vTB2J6^I$)jZ`sE;%sak$7A_2vDliiS^&H_pqROSS7h4?y!qB#U4oUC@M!BWREbS'
            '9ib17yvL`+H>DZzn|y<E6Mx`f`1UKj7VhB_<(?0n<c`op5&LTTx!kPKbn_54^PLtECC_?TM+2=kKV?(KgU;mFfNQp~oq43M>Lr0EQ0s<#73Wj!'
            'Kh4K=b_~BU*2m-7v77lDV#jb3c`4gJqcFnQevlr>(Ny-`VOd14eOJsB3Pz@s$s~<J!?%OU!ZYUuzxSzWrmgLr@c`vp=>D{^&)Hm(PnjUOm<O2`'
            '?JY!|GHa|~(#TR_J4Sq1O>tN|cZ!Ye6wg~PA2N>x`0&@NTE>sdRS$m@UaKc6+`!+Dt2un6s~1~wL0A8j!Y}))E<P+*fAgcooV<uRGcWk7#Ap7M'
            '!oLAB8j(r'
        ),
        'Alphabetic': (
            'c-m!DO^8)x80LB3_dEaR+;i^FoO|!w-<j(;ckcW+-EqcI(5vHUV&Eb&3<_GPP>}`h+(-y5%&m(87ZvRU1EFkXPzaTaC|ibw(W0<TM6~Mt?$tm#'
            '=X~e;f8OW)Jy>_@D+nMkIokM&B}$A7;3S$w5DDM_tP5p4i_7pn0_F%#e`lg=q%XW_k!EQ2z)jA;6Hho`Lb@wHUG4e`V5(Fq)!fij;dt;Cf{0z`'
            '8Kht-#3gt{GzAsO!gg#CAp{eV(qcF=*|)MtjLsC(RbH7BGJNGW*)?p(#3)Eb^xk7!yEDdBE;^2pDt%^!CaVDxGe=@{ML!4gv7+Qi+0$Mxg00ww'
            'z#Fdz7HzWQ5G3Zvp6}Cm4KU)GDMv>|t|~W>>#6zR6)E0pTn9rd)1a#Vk|G;x-9$P#;GriaNzvQd&|4-Q1wwQ7C=GB|1(EfMP+wd3zgYpB`rq1-'
            'rYFha--R;N&2bLha#)GVV`dbsQ7KXPZk=)m=19;+B!1o^6D~@9y&(sv{1kEud36m1c*6yfU=d-mF~vcTLNg%li;`5kn%gMNgjY!wpVQ`H^0aC9'
            '*n13@g&c{Ej?P2v9G_OX>O`<{CT9hqy3h!+{&i>VYVwPEmnoVky2nMD`!1e*J1e-yT=QK+Mov167a(SUm$J^T^rGAzj;>tC)-qioP6H~h7?0oF'
            '>C;)-vVjDzQbxDB799o_^)5K*n%TI?Lqr9nX<)G7C&iq%ExRgHN)kG%oHOPzK;m4eeE58n%j%^=4~brxb0cFSRn9z${@1#{QE^1;^U-;Ox6#vd'
            '3QzGEf_OGUUHwcbP%?92d-r8(^6E+_Zkd5;QBORWg=;AGq$l&<S`?}WY`i||c`f>c{HegJI#__et?`CM>j=t&+;1OL;9x4KAKBy3NbPKF2sRg*'
            '+?@5$m|oYtQe1rf*v2p(#`7}`bzuIF0%^pjya8?o@TL}u%a!TeKQb`ErjNLm4>R#*HLXSv-?|R7Ma*cz$o_H2DYL-c%;o>tWpl^4jlh}(bC~pE'
            '=_>0(N=?e#I%J*lDb~rYIWq@rUD>xzI66&9#l3~iv!k{qoJJO*1q&)KdbCV7cxZY^LH4vk@z@=7+dh_T(5<$VL~_j1SY#{F{z&ab*r82}#2w20'
            '41MNvIPtD~=3Mp#zA3+4xZ!0^?Y*|SBe!<1d>h{qx1F8HTE$(dv@51`gO|R;=pv5GrkjnFb41DCE8Y)&KlpW9#%h0{+1J$CkcjsVUn;(8V)orY'
            '@YC{hII1Ktu2YdxcX3d&)YHCU%dBec;(MYRYFcogY~IbJ?Kt=JXhvh(n*Ck8u@tx|KBrc3@c}m;phfsYA;iWNzQn%6w({Kc1=H5#`q^p@TUlh1'
            'b^K`k@ndIJ2^k*<kZHymWPgeVuT%f4asMuLKI=F?g5Fw6KHgh+DDRi9$<N`}bLM{MUz%2gLI'
        ),
        'Uppercase': (
            'c-pm8y-EW?5ayfN-P^nKCn0d^1|*3R1e=3AfnA=!H}E~I)XK(ILF<5sU}I%tA!6fWSo#Fc?%g2~W8&$3vm84+xAX1Kx3lLC))4hk4>ZSLWI9vm'
            'F)9BQkE&Q`?E8!e1X_SE{KKe?ND@c}Rryz*f?;8bw1hU|Em_el4jq<FqkJw^{10bNXcjbl%7%VZuX_Ki4YN!9&@^W~#LY8UYZ5CkX*pu;SS@+e'
            'sX8JNjmTF7%-R%jMJgc;*XrQbxSN$cFXfJ)FoNag55@+vm-pYz>iiHpo_7DXhh$2|s&x4Kr=`D)sG>Mj!|Rw_!#&13C)hqmidA1W-j+uf$nLY='
            ';RL<QXSe|WMx{y7vEs?ykww(?cPPm?>bg&CZuBd|-C%Iqaz^X}D{3Ik'
        ),
        'Lowercase': (
            'c-qZVF-yZh6y|$(xx1uoY^wyl7O5IU&0wIr;Nb30&>!IF;2?+)aCcL17uUKt6$BlMf5yqtyNd;zTB<DpKa%5p@7=xcarttrcM*UiUWUSKpeg(}'
            '#~HbZ5x1*hG_1LY*_en4(0KcCJ+di=nIXxw;6r|ZSkkI@gv9kF-b8By#3o62b||85I$g@2|H=s^Bi(+D67UaCTsF+Sr+w_>AHpwRL5V;a<ZDRE'
            '!2=27S&-snQh|xiP(!_TV*Jd|GCne{HdT(bI>$ihmoWXZJe<o2ij{vqB%NAy(;D>p{cndCCzn_@O6M9f7<Dwy8T<J!^9q@K_xH__CG1fo2*qLl'
            '4zlXqEB)qgT_L_j1q+a%XY<7vcHn10_dI%vIu{S<+zg<#L{n>R+e%b)5$*O0gf6^5FAT6GL`HkP#`-5qb|r2'
        ),
        'White_Space': (
            'c-rG+6=F<blw!QE&G=u4Tb7BHQJ-;vJR<-t76aY'
        ),
        'Cased': (
            'c-mEvy-I>{6vp|T|Hu2GuV&aAN@#-!Db!%C@(Mw#5VZv^bp>8PL=DmAV9*dQHM9k_3)0lm&;_)#HFX7@w50=wb2uN*bDq<y`sx-j7Pm^B8Cd%U'
            'jX-K{K+B4V1rG)&v(FXbJv5_@>$C|DX=5kuQ2bdb=h|YjDcM-WOH(~$VRhLdPz*z0tazI^&4wf_CC5rFvG$x_%v!uwtaFyqx{*h}JuZA|%}9Pu'
            'IQnLDxpvNpv2;arBV2KqXWypa`_o&3yt@ol)?L&eG;Cv-qp0M<Uz{1l&?0(?I!Wg!jnkVn`*<KbedT~X6ml*)ugC#Ctf~lD`~8q!8SpMrp`yR~'
            '@8MG+rtJNNbVsG#uc98{t3SyJCdd'
        ),
        'Ideographic': (
            'c-jF*0J;B$U;-Hl4g<vpz%xLAqyd1k0qz0<YKrOs0UP))2-XQH3g<|S1B99Z;LQRcx*!JL0Rn<84zW59?gXL}o&@3x%O(ZjAU6CL@c'
        ),
        'Emoji': (
            'c-ke8t4@PK5QX!d+1>toX`7UCmGA&G!4OOx21$b8CFonAcmfOxiRTGOFj&AMNH7=_idi~qCg+<ubM}BlELQ|>mNZ^ri_0|Cx74_Y-5Tr(K2afa'
            '5{MZg$v1>I7^cA@5L;E(VCG<!T#_kzA5;~cMRjeim<VeJrT+!5<W7mADV;zts9IQN;_pX#G276Qv-j*t-}=ngZ{iv5P}9UCp6#J+<|uFKfqkud'
            'KAp?B7R#F08A(G!{kq0Z2W6r)8?2`Y>l7D@(>TaNvHk=1{h$SIbx7fn)!0fr9!*tK{sZH>7+L'
        ),
        'Emoji_Presentation': (
            'c-j@rF>b;@6b50<|K57By_?8@k%iJkDJc>q4Gp4miqvopuE7=H4(<^W2SCaRQsyFY>iIOMUf;MOj;>bkX~m4pM2&(b1X`lNM-Xv6@dE#zjdeWm'
            'Q|M!i!!dG)8>sqPLdP5htkuACD(P9Im50<A_Bjr&Xq%mG%2JvA?yWB{leyQ5<uA!O>y?TNhip|?$4Avg`3HzA5aR'
        ),
        'Extended_Pictographic': (
            'c-j?=u?_)27=$zP@2%Utb(bI#k<dy+NHmB<=K&-djdu`HUoG(<TAfC#)ZzgsH7bSp&19;X`SyUpZi0X-P{qP#e31c5Oi@dWoPj6k;V?3=I$QY-'
            '6R0di<C%eqP>cXc)DeeN{U$FWW%jkZJN@1Mo5#oIEJ_n&8<;A$G^}SH70|)BgG49BTlR9S!@M2LAojKuH)f#=kE7)L7JiVm7i<'
        ),
        'Default_Ignorable_Code_Point': (
            'c-jFo0L=fb0Rf=}0n7yf!WIJ43<6aJ`ws;g1u+oxApx720}$^40iXc^PYI{_0tC+~2!-7+fFNjG4$S'
        ),
        'Join_Control': (
            'c-rf6U;+RFDFDv'
        ),
        'Hex_Digit': (
            'c-k}IVrP?LTltq6OalNB-vUS'
        ),
        '\\s': (
            'c-rG+6=F<blw!QE&G=u4Tb7BHQJ-;vJR<-t76aY'
        ),
        '\\w': (
            'c-mD}ON^975YAU!-GBf6Kj*PCvyXYfFzoKI3(LOP#o#W4CA+I~P%wBf@c<@j)I>dTK|;_(xfu?ca8SdI1TPx!qKQJHl3*en4KYCv8sfo&@nrSP'
            'V&wm)|9({USJhut_3UxM2m>R#5fGpV3RN`mo#Hsv0f53=AQBBDQkj<VG~NTQ09}Hauv4-|^1_ZX*CV~br(nsUM9BBk$#j9ec)B>ok*>kmO}q^+'
            '7A2wz#DZc9Wy}^#&=fn5s9<;?_uwS>TINb25LbdcQV7MJfm{oo@~&r0E(~P+5ZlW<wh9yv^pK0!0>h&2%?PB5S^E_cAa!}tXCNn!&%%i)lHleH'
            '+m|?xIglBWU1B@-duF9+&4E~PM#e=|6CXi=s0w$m#t|jUI)mHkZEMuzTO}>u0FJmN6XPQIhaEaxMiHG5OB?1X>iP}T!!2*phlOcETKm6Qh9&tP'
            'BGt<C<7CtyOa+YSO%(-|uo9K~K2rRQKPb7jLS#+^J-z0dh&guSq@!ItVqABOA4i=c;}Y2B%#+F$!uZX2pLJ@6BHbgEE9}%4Sx(=TW-)l0G~W-V'
            'L`b+coM;&xq!PxEAWvr71+Wi1ls1DMjEGnmLt)~InY)<YhY91sIrjy~Y7)su-_~y2QEE7o0BAn$!;0s?x`*crtv&e}{%UsR!WA5vrVFIT%Ci!w'
            'H+F>dqLAYGwnLJNrMY-b!c&t>o}o@$SF34cnpg}|a;B=*Yl?Ex&d9+`-+m9NIW76;%%{)BRh~I_@Bz_F-5}OFmV@c7?0=>GI~7-GVLawM&lS~F'
            'OXD4swu&n{q56=dw#OKe<d<Bfbld5}^X~#@QCBk=nysXvd%8g#sRTWFNysuC?(n#siz8(HY~JeCT>J%v6=!P(lL!w>9%7fT8LGN!*jyESS8*e2'
            '`wXoJ>Dni5ofM;0SM}`{jo}56my+VE>x;9=Y%*@0=_-xtKLRH;k*meFgKak}lS8A`@JKTc9}AES2hPmHG20G_Rc0Xo+l$y?_&`4i#XA@57y9`B'
            '6)3qaq4L$G1E~fbInNoo81$l>P<>MiZevZt<St`@!m8P}Dmm)9OJcM<HcA;g6I{dolN&=;7`L*uA#n*~w`OVD&qp7(up3f%>o?KPoCz_7Fmttr'
            'IFhb=S9U3HF_hC9>32vof%}}QVF43LC($t+{V+K7THzb~P<|o1YV(TwsHt!AwfW^6$u$m|aOSAAh7`+UC{+^<>C#m-rQ8jyoWUk91%(xHE~51B'
            '-S%!c;eI>JeG)#A`m75FDckqex#G(@QDNW|{n&End77%1<O(v@QqbTJpuSYcaKvAF{#r!bzaUnnZmslVLYQQo3h)!rFoxx>ezaNIdxjTzuSJTA'
            'Mt0jajkzN`3)ByXKG4SNQ%Vw^@ijFI%Xih}UG(k?qQ9y$e2XZUc!J&KkTL2bBtIuI`2PSN)UMiEfB5*BKPmSW912qX8il{)Mv?c|vO90@-J;g@'
            'miZZUb}IdBIeWk#moD)y(f3__uXX!+?@#;-jX#TK'
        ),
        '\\d': (
            'c-m!+F$w}f3`NO|JH=B3MZJO6Vr^|@ZEfWdtOa3fL6~amsjMx<YEPhhl(F>>mJ$+@{QQ?CX+UkXM&mjD#a_7~I+b?Ff}7)HBqMM)cEuWKuZ~nn'
            '6=kMn^hBN1ed>|qCKS(_ixp7kgv^cuVX`H8HL;Q@n|^5Q&f<@M=-4AajMsGa92YHnKE^u`=X?PT2P;q'
        ),
        '\\h': (
            'c-k}IVrP?L0{{WQ0B8'
        ),
        '[:alpha:]': (
            'c-m!DO^8)x80LB3_dEaR+;i^FoO|!w-<j(;ckcW+-EqcI(5vHUV&Eb&3<_GPP>}`h+(-y5%&m(87ZvRU1EFkXPzaTaC|ibw(W0<TM6~Mt?$tm#'
            '=X~e;f8OW)Jy>_@D+nMkIokM&B}$A7;3S$w5DDM_tP5p4i_7pn0_F%#e`lg=q%XW_k!EQ2z)jA;6Hho`Lb@wHUG4e`V5(Fq)!fij;dt;Cf{0z`'
            '8Kht-#3gt{GzAsO!gg#CAp{eV(qcF=*|)MtjLsC(RbH7BGJNGW*)?p(#3)Eb^xk7!yEDdBE;^2pDt%^!CaVDxGe=@{ML!4gv7+Qi+0$Mxg00ww'
            'z#Fdz7HzWQ5G3Zvp6}Cm4KU)GDMv>|t|~W>>#6zR6)E0pTn9rd)1a#Vk|G;x-9$P#;GriaNzvQd&|4-Q1wwQ7C=GB|1(EfMP+wd3zgYpB`rq1-'
            'rYFha--R;N&2bLha#)GVV`dbsQ7KXPZk=)m=19;+B!1o^6D~@9y&(sv{1kEud36m1c*6yfU=d-mF~vcTLNg%li;`5kn%gMNgjY!wpVQ`H^0aC9'
            '*n13@g&c{Ej?P2v9G_OX>O`<{CT9hqy3h!+{&i>VYVwPEmnoVky2nMD`!1e*J1e-yT=QK+Mov167a(SUm$J^T^rGAzj;>tC)-qioP6H~h7?0oF'
            '>C;)-vVjDzQbxDB799o_^)5K*n%TI?Lqr9nX<)G7C&iq%ExRgHN)kG%oHOPzK;m4eeE58n%j%^=4~brxb0cFSRn9z${@1#{QE^1;^U-;Ox6#vd'
            '3QzGEf_OGUUHwcbP%?92d-r8(^6E+_Zkd5;QBORWg=;AGq$l&<S`?}WY`i||c`f>c{HegJI#__et?`CM>j=t&+;1OL;9x4KAKBy3NbPKF2sRg*'
            '+?@5$m|oYtQe1rf*v2p(#`7}`bzuIF0%^pjya8?o@TL}u%a!TeKQb`ErjNLm4>R#*HLXSv-?|R7Ma*cz$o_H2DYL-c%;o>tWpl^4jlh}(bC~pE'
            '=_>0(N=?e#I%J*lDb~rYIWq@rUD>xzI66&9#l3~iv!k{qoJJO*1q&)KdbCV7cxZY^LH4vk@z@=7+dh_T(5<$VL~_j1SY#{F{z&ab*r82}#2w20'
            '41MNvIPtD~=3Mp#zA3+4xZ!0^?Y*|SBe!<1d>h{qx1F8HTE$(dv@51`gO|R;=pv5GrkjnFb41DCE8Y)&KlpW9#%h0{+1J$CkcjsVUn;(8V)orY'
            '@YC{hII1Ktu2YdxcX3d&)YHCU%dBec;(MYRYFcogY~IbJ?Kt=JXhvh(n*Ck8u@tx|KBrc3@c}m;phfsYA;iWNzQn%6w({Kc1=H5#`q^p@TUlh1'
            'b^K`k@ndIJ2^k*<kZHymWPgeVuT%f4asMuLKI=F?g5Fw6KHgh+DDRi9$<N`}bLM{MUz%2gLI'
        ),
        '[:digit:]': (
            'c-m!+F$w}f3`NO|JH=B3MZJO6Vr^|@ZEfWdtOa3fL6~amsjMx<YEPhhl(F>>mJ$+@{QQ?CX+UkXM&mjD#a_7~I+b?Ff}7)HBqMM)cEuWKuZ~nn'
            '6=kMn^hBN1ed>|qCKS(_ixp7kgv^cuVX`H8HL;Q@n|^5Q&f<@M=-4AajMsGa92YHnKE^u`=X?PT2P;q'
        ),
        '[:alnum:]': (
            'c-m!ENsLrg6wSHszW3k1f2dzWcU2EH^gz+`U^m?~CeYAyD`I3}Y=a9E7eJ!MAz{ac7=jCA%R&<tYS@wBMuRI%6cUw%iLf-p1YKxYxiGH0uL?|v'
            '|JNJ-8_qp<tR;zt-S8p=3|mJV-y2SI8v)owvjQRp9AI>zhL>>({u<CFxaqyQu93d*Bh1aj?njwV!?WjtP%LGq^4VCg+XhvuLs4QIa2|d}QWLos'
            'QNVDC1XXw<8ia~8Y{EPsf(e#VrDfo_zaL}~Tm4ehNO?s?Vh}60{;oA)P6j0=iCJ$xK@NL8WaSfZ1yG947=@>xg&|{1%2rqO=a5U0DOMeY@jB{d'
            'm>`^_VEEpS1kC=PBc&@aX}B{@y;Z<+q>{wxykZ*46BKzhCA<@&?0}6NNcIN#77gvID#HeAlMr{%mO+n6u5y9Nt#!R!axYOg9Hv>^4I+b=n5MOj'
            '{r6SEhW1-~iei_X`ID)PVSC&pQ7surYdwaPu2MBuha2gNI~mQ|9cd%wIGZAy%<-_3?kFFkS|Uy|)G0B`t0=+i`58KZBwvrkEK_1<$xL$~Y+!Gp'
            'I-Xo1HAYvPNB?QlzMf|dBE#f3vpPGA3`KTI83a!l>-uLIiMrP^%G1}~>XrPVdfrglS9yPgq8>+h`t2;@o-sqQTH5liGk6VbXYqQuvs9etTPvHF'
            'uVZV0E|VFpEn08h-y72z+6o~CKTyM1V>LYrh&1#r7VJdUG%H9;iECp$&PiO|YzJ-)Lj`f-R5jOQF^k-tv*JE~HLdgVg(HuM-t0!HwW%s+A7{qf'
            'V}DR(lh&rvvlbts+Do?Nr0KzsnMg6LUMG|&A3wLf?-Di5@?s}z*;(77N%pWaSJg&tk|%k}ucnE5Aw=`z(X6IlQ9LNV;V^@ETjLOO!5LJSdfYy&'
            '&@w2)JNq4Ns;zAZ%;rqfG$%YpN7i(&npNI8w!V_BWK&*TSKV0uN1-$y3bPK=6!^iJ%EG`%J>KbP#LGsEY$y`9VuaaGX!>nJ0|%I>U|ds*5B9=P'
            '`AM{)=lK6Q81l<TqY_MnF8U(}+RFZjQe-REw2t)ZfLy~GMMG}<P^dwPbk_(9TN@prT&*A7#KxHy1~ff2;s`AS0i4N>rv(aOMI$RD<>xIb$L?UP'
            'Bre8$2*{E&T1qQF7KqK6z#(*`R?u+99&Mq($d^=)%a}H%B)d5Aadi6K^0)Z0_D1Q3FT0^n+V&3L+^6O9c6O7aHpHFK)~YNOoJu@kt2fNNk=xij'
            'kK?=%l{ZzVl=8n9{rz}ae&6PvVLsEWZEAhV*?(j%RNk_gi6deB)RBw%D|k+Mp;z=$)hNPYO>nQ{XsFq0mIyx+4Pi*D_tVYOGw1WRbNBRcnR+g;'
            '2gmT<yhNn%-%zVE$8z6{YKImj4;6|-IO01zdo&a=mTNI%BzQ=F;ZFjgKyg1|&ExeaPxuNNaqobjtjTUs{!1&0zQ5JvqJMCgI$w9(FQ5<R^DhpR'
            '9`UEutNd&7L)Sj&{0l1rg+c'
        ),
        '[:upper:]': (
            'c-pm8y-EW?5ayfN-P^nKCn0d^1|*3R1e=3AfnA=!H}E~I)XK(ILF<5sU}I%tA!6fWSo#Fc?%g2~W8&$3vm84+xAX1Kx3lLC))4hk4>ZSLWI9vm'
            'F)9BQkE&Q`?E8!e1X_SE{KKe?ND@c}Rryz*f?;8bw1hU|Em_el4jq<FqkJw^{10bNXcjbl%7%VZuX_Ki4YN!9&@^W~#LY8UYZ5CkX*pu;SS@+e'
            'sX8JNjmTF7%-R%jMJgc;*XrQbxSN$cFXfJ)FoNag55@+vm-pYz>iiHpo_7DXhh$2|s&x4Kr=`D)sG>Mj!|Rw_!#&13C)hqmidA1W-j+uf$nLY='
            ';RL<QXSe|WMx{y7vEs?ykww(?cPPm?>bg&CZuBd|-C%Iqaz^X}D{3Ik'
        ),
        '[:lower:]': (
            'c-qZVF-yZh6y|$(xx1uoY^wyl7O5IU&0wIr;Nb30&>!IF;2?+)aCcL17uUKt6$BlMf5yqtyNd;zTB<DpKa%5p@7=xcarttrcM*UiUWUSKpeg(}'
            '#~HbZ5x1*hG_1LY*_en4(0KcCJ+di=nIXxw;6r|ZSkkI@gv9kF-b8By#3o62b||85I$g@2|H=s^Bi(+D67UaCTsF+Sr+w_>AHpwRL5V;a<ZDRE'
            '!2=27S&-snQh|xiP(!_TV*Jd|GCne{HdT(bI>$ihmoWXZJe<o2ij{vqB%NAy(;D>p{cndCCzn_@O6M9f7<Dwy8T<J!^9q@K_xH__CG1fo2*qLl'
            '4zlXqEB)qgT_L_j1q+a%XY<7vcHn10_dI%vIu{S<+zg<#L{n>R+e%b)5$*O0gf6^5FAT6GL`HkP#`-5qb|r2'
        ),
        '[:punct:]': (
            'c-mExOGwmF6vp|!d+z<e=0E?LteKi}G<%H3)Yt<wGqW~^gb_h63yH*%=s_8kn3^C2Q3(~4WmHf?5N&EvAQ&xzXcI&RLAWS-(4v)#4C-2Kx`(^D'
            '=iYmM=ljmw$agX(BV`^4A)p9_G)nM7Ni41%0Lf!;p>6IU&H`gF6{K2X6SR?M(huyjMrnfwA4Np`GelS!m7oIeKp&?;W1pYENp_<TZWkN~Uclx%'
            '(TE5>?;uSx9e<WIpxT8&c*r!d86U*U`EB?n%(F=~aL5A6{NRxV<rS1=*=xTuH*KM$7weK$x{md3fG^ro1uC2hCTF^Z**eh4xod2jQ%q3W{40lm'
            'qO|}ultG;eHZ`RtBs=b~6zv~j;`aVwTtER!$}-p<dxJ~@qGm-_6Rn!5umhJs@k<waNR$Lw7g4F7i$*!Rynf(5s;YR7YLC_CsBzOC_u3A`mm1l^'
            'as@190lUKlyCkhznP5BO?7_$l;0%(JoYsT9B>dDo6hSWIuU$c>11Dr3)e3KA(h`IUg~hiODse;MlST>e!g@GBZz0wr=d5$K%PVD%hlpY5yo|s('
            'V3p{WN^TTEX!Y1;_TwI{r$@AJ-P(sANVlsw;Rb7&Oj;bOYrsx-vx45`j{z-u5&Jb8!+sQp`0nbTDNc5<A6V-NheZujo)eF+PEE>q_B#>})pc~#'
            'PQcHxR;v`9tgN1~PT>i*el?h7iT~fVy;3F1T*To#3-LhVm&SX;m&T63DLhp?&%Ct8B1U$I7Nl>Xx;V^>=P+&t@z#-~HUGG@n3y1nNww>nayQGE'
            'u<kWuafZs*)lS5~c+N%J+HZ5pZD;'
        ),
        '[:space:]': (
            'c-rG+6=F<blw!QE&G=u4Tb7BHQJ-;vJR<-t76aY'
        ),
        '[:cntrl:]': (
            'c-mu7h*tyv0Yd<x'
        ),
        '[:graph:]': (
            'c-mD|U5Hgx6y{rd?Vq#Hx#!$Fb7$^&|L-t!$C*1njx##rI891Ajbu`YniMAF57a|F2tkpENWPd9MGp!-l=K({Q5qy6We@#eU{enk5<yQ&Pf-!o'
            'I_F~4IcJ}>_g?>Ne`~i641TN0umw=WOA2jTPYQFc!X`XRSfs=8W}2o1RRTiY0O{L+BcgtYl41&E&JIk_v_^CdcX^b)qNHW56f6U_;1vQWborXR'
            '%oQPFima9SUArkSwX3Yk?Dlwq5hE<Z04Xu3BG&1SFcA0YoM@Mjr_?%IO05!;xBc0^PwjO%hD1mFMybXO(s=V!7TTi*BsP#0F(Y1_@uZ>!t_`O?'
            'H3sBgA}xOlPuyI=5RYI8339{NG70)UwVjrdX;en*-&KN5^1qLos%-X32q!eEYQOCd27+Q12t^0T8*j>HzwPK{-$29>LyeIR$GL1mwM1J{qflgG'
            'YD_<fx8N34qLy@rLf6r+vzTqmaOge_+909DWY8;z5=1o#eM*9isDhkoC9UKP_?+$!`(BHwiSJ2IWI4=RiU$IV|G&ov%h(^SqMXOQ*h@!s2M4e>'
            'Scls`LCpm>sdx$QtL(ht`Zg<X=H0T3%(1Ypb|K^z=7N|!9UZ88BT<^n!y+G-tS|11N<4ike`l7SY}-idGSVui_<14!k)n+j%`r2BUNCE%mTg>t'
            '%B%<u#E#b#p)7ns62*hhYsC}l5y=u$lP6JA(@B+wg1YYLI)*tOy8!Vz#6!H+&4!UwDFs~ErD`_%fP#MS1`Ng!Y!|p-T(&_athivEIMFRt(bzK2'
            'MOrT_C&yPK#oh*XOLK&yV56#0MVBo{_MshfGr1W%>AY#HnxpGzh*?FHS99ZTtiRl@7E8e{32&PRt+C#0K#v;<4x$+LU}`CYk3<%l&DtCOZ-WR3'
            'r9o2oYb&7Dp-*duHoBCBlB3#V(DfDP-@-;}4{i^=$@MM>h>Fz;C0x3U#Y4LzC$)B>RF?yc0>A8NlETW0+nw8C{reb<y$LXZ*w<83+{Zi80LE47'
            'Cy>mH&|w)yge8XpMpbPOlJ&Xs_Q=!F;V1Z__(X2i`ST6^8DHM8a4mP4Z3CVkhBtLGe%X6Ts!#X6qZY2=(Zdh$CR^B|LyCW!a;w3p|9LxSS-&Z*'
            'RFkA*c4yS7o~Lw91=f?hS^op(J+*U^O2M(kU*SjSD*Be6D@Mg=U$Evh_Tc^$o#|bLDC^;^(vePRRZ1mz6Cm9nx=3_ICmP9h*D&TAVHYT?wq9!C'
            'nF%ErX8M>Kg$0f4YHSr9#w}6h6npp-lpo#6BJzsaw)38=vRz5fLOw5Zc}$leZTW2f?vt+46gd;{C}<^76=vxyjq{->k-QTO`?oP)%Z+m&O=`~J'
            'JIe)?Q_u3_MlOpa;(0lZwXRMP)6xx!V#+D6=WQbQMqpnBj=bn@eM!v^o8|}5$%**gh2##u(R+b^3_ow{Tg|U8bx=Qe0>9wpKh<A<E0XaK{~ej{'
        ),
        '[:print:]': (
            'c-mD|U1(fY5aydR=jWb#_ug!>$)>y6zmRNxHc6W%ZPFx$7Mqx2EtS&LqO=A31Nxv31wpY$DfXonMe(7<K4|HqD2TR#MT*u3f2dGHAF31)d}{GY'
            'R79P7mx|uqbLX5hGvAq+^UbXvY~0dh*a9fv6@?~kB!wAQW)q$zEYOj7o+c?l9|57Rf%IL#5m67sNihX7X9p%|S|`4S+d4{r;-qD*6f6Ta?-c?l'
            'wDp?2%oQPFima9SecV)+;wq~$+)ht00>WYpkP<)@u}*hHfw)`e#Jh+NO3~R;ib_o0_GJ4$#cOK}iI1Ecr5;mA<L#i5$WGNOv4O0Z89BunPb!+@'
            '%3yk?Mz6e!q~&eliR&vE;2{hkL2mGRW<kHF*l8)5Mr1VpT_xBe?+2-_N@i6;cuTAOwkPNf3RxHw9UyPKDVhDYrI&pT5l0L)N;(|lk_pu!Z9|1Z'
            'v5BcR`3Nq-EvQ5->K28rrQc)$ZOU+HKQ-DUfyHFdMQO>0X&w=kkyDMNk(>da(>-DL8!^@KJ?Zf*`dLeHZ(#BN---Sb_D5?d?Zzq{(=8mpYOn!!'
            'e}b9`Zd2hh+&9@h!*$OqZ)V-Hi_Gz`s&*md24;eoJRR%p^G4z`8U6yFkbE!hi;6sXs^i`?J=L_4)+MCXO?mTT$0v$5ThvF*6uQ8yaay)<6)HoK'
            '`xhLqDMCr~!XS$KU(kxj)nk$))=!*7MNKAsJP=fMOII<-@#qD}sRKN~!)`i^q&_Lp!nRb?(MJ^Yc-Lz%ieO1-f-%_!6|v%i4RVNXsItb^SuW5<'
            'Svk453MuwBuv_ax90i+Ih03~QIkLNV%uMB`?1b~CsVa_cpeC@2s6)++xzV0dv#(GLc1d{KJ!qZvW)nKyP;dx^uoLSSGulXGp_$j-@P8Xa$R~}F'
            '(q3C3s}6lyGc?hbERq~mo`9~dIDZM7soB32dXwv#6Z#bT%9L>N3KkCUiJa8hiBnZBFbe##qX`PjD{fD2hxH$#KlUcTIAUK>bvZuXkp?iP(sKgI'
            '%!nM6VZ>N+$YVrR_9EGsJ8zFZ108;buL@7*)|@|I(_iqFO>@_CSJ>9z`B8XNCF7U9m!!IN*L!O2IvzjrFmJK>tvaOmxAkr<81X+ZahCNv(n1wU'
            'I%ao9o$7pA=Tu-lx!cu0U_MYgC#V=4U-%V%h_0b~`T0Uri1r2RPGc_~O4*ryqY!1iyG=ULiR_b73EzZBH;FD1UDb(3a>Lb(`A*b%%Brmw8+dkH'
            '35S_JrCNSY<AxetLyK`oTsh?)J_mJ->|`-{&1~QKz%|(}r*|QLFLQZJTOe)rZ2$g~uF@1aGw{f3B~j(4=`4-$;V6;36Ab!yF<Z%vaUd;f&f%8j'
            'yvnKP_@I%`L=y3=+{Uo0QpB`)lcJb%%IjI1$QL89uLDP4c6Yv}`p0$i1L)*<{Qg{WkKgXPz(0mxHuatQx0hR}9(oDC;MG6XUw<o-@eey8neP'
        ),
        '[:xdigit:]': (
            'c-k}IVrP?L0{{WQ0B8'
        ),
        '[:word:]': (
            'c-mD}O^j4U5YAU!-LGH2-}%{@*`N7?Vc6Ya7nc2F7lXSHmh7&|LBZg`!~>Y9Q4{sV1qneD<z_f&!a)r;61-@@izW(*N`i@SG{giwXov?7#*@`E'
            'i;?$UzwUn3{Z(~Uef9RZV1$8@-Ed&&Dw_CCah&P^K;bPAiPQi}re!>h_kb%vmtZFBlzbz(VMm$kk>21_u;fr8<ooGly1-sMT^!>`*I?`>-i8;;'
            'BBBaJgJKG0%oa@06g!WoV0a++;3W83=1L(DQ-VBF2*sR%TnnCpB4kW13}pNe+siz*3KS34As4F!hGn@|BakX)?Z1cssml}DUzKGZp9Au^B)B=l'
            '_9f0^4rGR8m*|fDo>^&Hb0Aurk#SMg#70mcOT~Av#t|jUI)mHkb!*h*T_r8=0FJmN6XPQIiyb;#MiHG5OB?1X>iP}T!!57UhlOcETKm6Qh9!9)'
            'BGt<C<7CtyOa+YSO%(-|uo9K~Hd6eIKPb7jLS#+^J-z0dh&guSq@!ItVqABOA4i=c;}Y2B%#+F$!uZX2pLJ@6BHbgEE9}%4Sx(=TW-+*$G~W-V'
            'L`ZyXIMFgXNF|IRL7vRE3zAws07{#|4n{;Q9z$W`ikZ8Z-iHa}!8!K@$Z8VFNAK2d+)-*clK^Nw?!$`bz`BR$3#~o*8UAW^<-!#lnx+e+#>%r2'
            'sW*0n^rAS$``ZplDwgKrH3?5mGI@qNab2yZk!fNvOv#z5TCXX}NjoD4GkyI%q~^5bpEI968&`Se+`$J#FLi@h>sSt^x3d40_U}|&p@s37^E_8n'
            'Q!R~mP}(9^bVBtZNo|iYBFQhgO6j)Khv(k~&Z4enGBjIBL-%xpI>H1!c}bjQI^5xLI~PaD`q{kItGW0K3M<am3?>mCmOR8R&l#$^YS>&Ad{=QJ'
            'Yx@kXh|{%C+&U>ntFG$XEgHiMA}=MySJxM3li6h4I@47e)qey|IFYNxwu5aqE0aT`)$m9&4<8GV3<u84!!g?qiB@KD0Jayg!|;KA5{h*$*e~wm'
            '|1(f>TSDd8r2}Duj-2-yx)}7bHlg~a7Tm^~gvnjT0)<txZB=sAb(chGd2Ez2b|$!n{U<kuta#kY)`r9-jNO{0X+Ix*+`?`M@z!smojDU?3Ss7I'
            '4KXBL_onPpUSlYyHPY{pW&-y)Rl@=%lun{!IQn65>b1f*_@VqlcGcz;_fb>d<ZJWGH<D`{G~vuqX$>LEVkoQ$hji(xno{ltR?c9Pmx98I7#C6c'
            '_ilSPoN&J#=Drg?5q{Ri2Pxb4)w$x!I#FTZ6#dw8=Xsi{m!t$4Ybj{(2T)(CV>sfAo-d1t`vqcEcx$B}^A%cH6yPVKVGK*HezaNIdxjTzuSJTA'
            'Mt0jajkzN`3)ByXKG4SNQ%Vw^@ijFI%Xih}UG(k?qA%4MzC{#FJi+dA$QbnzlE?oS;Qs+U;I7*G{_yfMe^Tx*a3~1-H41-8MUng0vO90@-J;g@'
            'miZZUb}IdBIeWk#moD)y(f3__uXX!+?@#;-id&0j'
        ),
        '[:blank:]': (
            'c-rG+6l1JsysyppUx-_UQJ-;vJR<-mHv`@'
        ),
        'folds': (
            'c-j@&S6|y&xaaY|mzKB6eigdXYw#JB&v2%B`ph{qBl&K6ujfp?qGJO|s7Y)>LhsG=-aEzy)4_yJXemHQk2BA{`F*V`OOIuHN&2h*94Y?-fBG-+'
            '*Zvj$`oG5C_&4~Q{}zAi-@*Iu@wfj2{?31FO2Oa#PxyQP8Grx3;2-=~{KNl-fArt+kN*e$?9cz=FS9-g*`Eab*<bu(`18NSKlz{dr~eE8?0>`l'
            'KXCppeE$zUt{394h;i4U3lpv*7bacDE=;*jT$py9x-jE9b2X=6)^+Z}oa>DX^R5dQ7F?GuEV`~-SaMyv5OLkOu<Uy4Le%xng_!HT3oEV<F08t4'
            'U5LBxTv&76yRh#1=)#8U!G%rNCl|I|UtHL6eRW~i_05Gn*LN2Zt{*P!yMDUx+Ld(S!1dC=FV`1_RF=k&&N3J>Sr$V!%VF@d07EXzW5{QZ7#_1H'
            '3<a!^p@<bTl(15Ur|cQSa~5O>u`-4iteoK`d&N+}DjBL+HA4-nWvFBI3=OQ2p@}s!w6Io&HrCG2$+{T2Sr0=m>th&TgA7A#m|=vCGK{fth6y&w'
            'FvX@BX4ovl9GhoYWJ?SYw#*P^F@_bk$`EI34C`!zVUuk!Y_lDPUAD)NVEYWO*#W~LJ7PFyCk&_TjNzQUVYpzI3|H)$;fB3sc*ou|d|<Z>ckG_w'
            'BYR-@#6B~8W#1USvmXpUS&{}OOmU<MYaHo9hJZ{VOF*`;&XFVd1q6gmj$C1jBTvW|@L1Rv@I=_*C=m8I3WXv8#lj&+iEzSED$qIfRJi1LCR}hl'
            '7lHyp!U#v1kf4KmA-v}(7w$M-3Kbl$ga?iap;ADVP%WTFs1;Brq`FZrGze%EGTdkpS_QNTemB~M4gp~y*Nsjg&y6mjTR@M{E1*v(a-&}u5HKu^'
            '2pAJS3z!yWgjoS|!o08`U{P2SA_A6$sDPNTB4AaB3s@7@1#AeL0=9&00XxF3fIT50;I(id;7~Xca4eh%I2FzWoC|LRTnLu}u7qm=H^N&1?}YaP'
            'ZiPGHUcg7;LBJQ`tAKC9cL6_yp8}G?F9E4MjpoWTI5K$_M>fyl@bdtTl;?5e^G6(y`4gHZFXSlV#WYA>%JGyxqw(<|M~Ihkyx`?DGyaOBidS>g'
            '@LG;KUeD3M8#$VIGe-+=<!IyW934E&(aF0w2KkwdAwJA8%Fk_#@uZD${>#P$pX8Y40XJrNz8kZAj$@uLa4hmAjtF1oi1HZ63V&~7mA|zS=O1h&'
            'cr$&9N4$l4%9p5T{1Nq>H&L&68}*tW+qmJa^zxR!v+<Lk+DLcL&~}bHOf7eJQeV0|s58F>#Q|~D!iV2(f5Y8x_rKxOZ=Zj|_uqbs`0-m(#LwS;'
            'iTL%~y@+hFMTB2$6%i2IMC6L?BJ#zEh{xixh$muHM1i<wp->EqC=xrx6%oZ^mxvOvTSTeYBR+_DD)x$aCiaPVF7}J7;zto7aZvmqqD&kTQ7(>%'
            'cqxvGcqNXBs1V1+O%avigm^2WTAUQ8MAV4WB5K7M5q09MxFMomoD<O?&WmUi7sR?0G>MBMn#Cm%9pZ_Fn7AckTig+`EAEL%i2EX5iw7bO#Ul~N'
            ';)#e;@l3?I_(sHqcq!saycTgIz7_FKd@tfo{3_zJ_(jAw@w<prX+=Vsv??K8ic83l)+A&~>k_i04GG!Ori2`6OM+k8mJpD3B;-oF67r-y3Hee&'
            '!Xs&4!ei;RgeTI0gaWBULZK9vP$YFqsU8$dT@p&9ZYj-!QmIG6Q>j<NGpSF)bE#iKP#TaBk_IJ|NkbA|NW&7!r4b1)rBNx}gICg+gbHa~LZvhz'
            'Wq42}O-h-bEDx%sDG4>ww1iq|Mnau5E1_PRlh7c|OK6l9Bs58jQnm-p(vpN0DI%d&T9(izMJ2RLF$ss#k%VLEM9T5tR63JzF1?X(AzezilCCA('
            'NN**)lio}CAl*v1lkO#alpZ8}l0HlLB7K$cP5Lh3hxAiIQu-w!RZf$UE9c3`mmkS^EI*M^AQ#Fgl8a@O$fYu#%FkpxmxD4wa+!=5a=DC`@+%n?'
            'a;1zaxmrezTq~nau9wjuH_B*|n`N}ftuor=b{QRVSVpJZC8JyJk<lyn$>^5{WDLqfGKS?58Kd%;jBz<8V?v&kF(psSn2~2?%*pdI7UV@4OL9cU'
            'vK*DMBCpDb%WE>$<qa8|@|KKkc}K>syeA_e@5^{CAILbAk7OLnCo)duGa2Xd8yOe!rHm{2TE>n1R>nK|y^Ig?t&BVQUdBiHLB=Qfvy3nDR~g^r'
            '?=pVKKV>B4UoujaGzIBOhJs8bOF_1hqrk5O6yz#-3i6dl3LYy@6ci|h3W}6s1tm(Uf~U$e1<#eBf{;?C;Du7I;HC0PL4{JOph~G$P@~i;s8i|{'
            'G$@S<nv`Y*ElR6`Hl<xbSUFPAsT?clQce_fE2j#2lrsgr%DI9*<&A=V<wC)La;acYxl%BsTq_t>ZWN3tZxxIx?-YzF?-h(I9~4X|w+beeI|Wn9'
            'y@F}wqk<XbLBXu@Nx_`*S;4&WMZtpdRl%b2O~I1#T|q?op<r40sUWH(6~vTZ3RaZV-?6Hs{f@Yj{yWx`jNh@YWd4o~CF^%=D%roILQVCdQcd%r'
            'N=^5nTFvmGM$Po0R?YIEPR;hAUd{2LLG}C4s0Ms!QgeN1R`YylQS*IhRUi4#ratzeU47z1hg#r6SS|FSQ!VnLOD*=HTP^XSM=kZCSAFV3pZd&)'
            'e)YKz18UHRK{e#VkXq)$u=>J>5w+ZhQT3${W9lm(#?=ZRCe%tFCe<n*rqpU5rqvoBX4G0A=G1y0mep1tR@4FyR@Fie;%boxYih9v>uQMy8)~Ts'
            'o9a^!w$x`HY^%>b*inNX?5ZIT_S7;D66y;N_SJF^UaK!XI8a}CaHv*zaHLjxaI98&aH3YzcUrCS;7qOc;9RZq;Eh`E!G+r3!KK>h!Ij$N!L{1#'
            '!HwGD!CSS}gLi712k+H(4?d_J9^9&75AM`X5AM}24?e2h9z3W$9(+=JJ@~BldGJN;_u#8K;K4U_(1V}qhzCh^)PrB@m<JWwhfRh`?Uq`l-BGKx'
            'duomLky@)gQ0uf$)OzhRwL$wrZPdO}o3wA#X6-w*Mf*W*)qYajv?R4%`$g^0QfW~a*3zh*S~|5$%b<2^nbaOFi`uJYQ~R_WYQN^E4rl@Dpq5J='
            '((<UoT0V6|dqf@89#hA(C)9DRfI6WSQYW<{>XcSYoz_aIGg>KiR(ndF)1Fc1wdd3YEl6F|LewR#j2h8iP?xoGYE*kkjcKo_D_RA0RjZ`NwJPeG'
            'R!v>kYN#7pEp=0?qi$*Se=J|M2I`L1NZr+%sC!y7HKDao_qA5)YpsoXptVyEwGQf$7N#C+ozxSpi+ZYcQ_r*>>bcfSeWUeJFSLH@r8Ypl(gvy5'
            '+7R_d8>YV1MyT(!QR;hbjQT<QqTyEis^L!irr}=uuHmEhL&JmiQ-j~L7-35hhJYuRPLe<Q8Kq_NpPblu{8wga#geM0=}6ZzbY$vTI<oZ~9ezEa'
            'BUjJUk*`0}@mPPNqd+gzQKT2^DA7xGJk_7+c&-O^g!D2UFZ6O9FZEYCD)dSnReH6K8ogFWonEh_L2uO2q&Mqm(OY%2>Fqi?^stUjy-P>8-lL;e'
            '@6*w*59k=whja|<BRWR)F&*RjgpNslO2@Q5qhnT|(=o3v=vdU3bVT%J9Z@}|V?|%p5!csrtm_*(HuWtX+xm`<U42hSLf_Z%T0hWns2}NN29EU;'
            '9jE%4j&uEujtl)#$CZAq<3@k0<DLFq#|QmZ$DMw!<D>qd<CFeb#~1ypj&J&R9Y6G+I+FS?9jQi|fpjCoK&FvpAlt|>;5PyWa*aF#`NksykBuh='
            '3XDPnMMklK5~I{Wg;8ms%BVI_W7Ha`GwKaA7>x#+jAjEZMyr7~quoG<5jN0ibQ$P2dJOa$eFplC0Rw}^kbz-i#K5RAW?<ZyFfeIM8JIR^49psH'
            '2Ih?g1B=FzfrzneAZo-6tQe~X;>MbRbz{T8rm<yU+t@L%YwQ_F82biZ8wUmsjUyV9abn=qI5Ti=yfJWLTpGACt_|E6Zw<UN-W&K}+#0wu?hSl2'
            '9t?akJ{$OAd^PaR_-^2b@zX%k_+=o~^qWXC118eVToV~)o{3B|-$a)A$V9gJ*hG%`#6*Gl+(e-nG*M)ROca}CCQ8f~CQ8k66BTBIiAuB4M3vcO'
            'qS|aWQDe54s5M(n)R}E2>dkf&9cI6YusL9&(;PI>We%C>Hiu30m?I{7%~2D5=9r0bbKb;+xnN?_Tr@FdE}57%BPM3dWfQCBj)^sM&%}ngZ(_?l'
            'FmY&Jm^d;oO&pt7CQi(26Q|~li8J%9iF5Ovi8tnZ6Ccb$3%BNwg*$WJ!o9g*;iI`|;lW(8@X6e@@Y&q6@WuRM;j8)8!Z-8E!gur9!VmMCg`ehk'
            '3#pdhLYft@kZ$E#$guJ(WLo(avaClIvaQD!a;zs73asaJrC<du6j>n)#a5Yx66=M9Qmfp;Q|qOLXVxnV6;^|VN~_UAmDOaS+G@5?W3^bQwOTFI'
            'S#1{Tt#%6?R=<U?HDIC38n!THMJ%jX+ZI->9Seung@q&Q(!!Z_L&s+Qu+W(jO~GNxhZG#8+@|0-<t_y$DfcNjP5GFDvy_JvoTq$B!JCxNDY!`a'
            'l7h>WuPL}n`Ids~l<z6HN%@h2w<$kU@Gd2pg7+!EQjqbdnSY92?}`_F-c>L9y>TxFylY+zde^-e@@{xB?A`QY#JlCisCV0oG4GBS<KA5_CcJxI'
            'OnMVuOnLXcnD)N*V#a&m#jN+xi#hL+7xUg@FBZHfUMzY~y;$;|c@goRd$H_&<3-ea;YG}Q=|!sDVI$2B(}kbiX(Pk#vXN<b+sLweY-HQLHgfDf'
            '8-BarM!+7hk!ugy$g_uR<lDnG9@!)GgKLl4cw&#)D6q$E6xtIuitI@n#rBkq5_{T4sXb%ksXc4snLTIYxjk<qXfN0Z*^4&H>?Ip7?1+tWd)dZI'
            'J8I*V9kWqkuh^)xS8Y_;aU0e4nvEKJ-A1jwVWZC8v{7$w*=Vr0Z8X|DHk#~R8_o8fjTSp$qt)KG(PqE4(QY5uIJA#!ys<BAT-sMQuI(EeclN!F'
            '2m6zaR42_rx|87`)5&s>?c_M{I{^o|PM(8&=aGZQ&Jza(PN9P$r`SP>Q|jQU^UT3>C+HyLlsS0elskCoymC<CR63|~svXogwGQf>dIt?oqk|@='
            '*+Glb>Y&YOchKR49dtTf4!WHl2fa?8gMMeg!JsqbVAvUPFzSps7<VQdOgd8zrkxoFv(B7@d1t}FqO;^6;w(FeIxz<;&Z>jBv*uvk*>JGwY&qC='
            'b{y<FdkzxLzJu4!frCTm$icC5;^5l3aq!l8=itt{r#FhQ3HoE5jIb$UI>Kg%*$A5><|Ax@h(y>j5sk1Iu@YgcL_EUQi1i5DAT}dxi`b5^9bz}a'
            '_J~A;?Gvvf?0`6oup{C)!cK_O2s<OrBkT=v5n-3aRfJs=Hxc%hNL^-W%M9tuEQ82gW?4k`GRq<S%Pc_TF0(u$f0;cZ9xt;eM8PsEB#M?<F;TM2'
            'N{Oe->>2TVnFWc^GAkphqO6)$5;aj)OVmYKJ<$+ljYLzFH4`mS)=IQRSv%1gWnDyfl=Tq3QPxNFN7(=|7-d7maFmS@qfs_Sj7Ql7F&Sl3#B`L+'
            '5VKJ>N6bgr0<jonOGG5fmWgPT#fX(CTP5OAwnnT+*#@y0Wn08{l<g3^QMN}UqHLdd9c2f^VU!&a$5D1doJQFhaUNxFh>Iw@B(9?Dnz)Iwx5T?B'
            'dry3gvTwxqDEmPqqwE)v8e?g+x=N3+3?ehevWV;$%OUb&ET1Tdu|lFK#)^rO7@H=Z#@I9Bd5i^#P>hxRahoy5%Kx~<6l1T5iWsXTs$#5~sEM&!'
            'qAtejiG~<!B)Vd3jTYwJG1fy{y)o8D^vBo$F&JY*#Bhv_5Th|RMvTYU1Th(7Q^Z`1%@YeTwn#)`Z26BHxiPj%Y{u9Yu^nSO#BPl35f3r;iKt8p'
            '6G;J8Nnw(xP6|^*O;VU9YLmhYQI`~EiTb24M>Hgbd7?2XED%jeVUcJ~3QI&wQiu?(Nnx32OA1k<Jt@S9j-;?cgp<N5(U}zDL|0N+Bf68qI?<C9'
            'Hi+J&uu1eKg)O2#DQpu1NnwW=ObWY1s-HLbInw;Rkx2LRCL+Vnn~6+6Zy~b$yp_oI^EM*K&)W&VpLY-eKMxbRe%?vs`FR(S@8{jbBR}sU9{YJO'
            '@x;&jhyp+FCkp+1fGG0wL892thlmnCA0|rue1v%F=cB|kKOZBW`}sH#^z#WK<mZz_nV(M)FZ_I(DEIRj;-#O@60iJxj;QeSd7{$K7l<l9UnHvi'
            'e2J*>^9WJv=gUN$pGS#$KaUX|0lppJ2nYBM(HY>oL|1_C5#0fvAbJ9PpXd$n*F;}{9}xWken<=i_z^J};K#&JfS(Y<0e(u11o#;-8sO)|Sb)DF'
            '#smC<m<aGoVlu$5h^YX-CZ+@YhL{QPx5R9Kza!=X{5>%r;2(&E0KX*`1N@Fy3h;X(65t<+<p6&mq5=Mihz0m(VkN-85UT<Hm52xUH)1WozY`yF'
            '`LjHZ+g$#fxXa~1;y#y$h>y9vjCjc9FNjaMyqx%)%U=>-a``LbYc8)KzUA^t;zus8CVuAf8X}p?Yl&aEypBlC<Ml*Z9&aGh^LQhXk;j{e%sk#q'
            'WaaS|B0G<_5;=LijqvC3b|R3+JBZvo9{%I*dmis19_8_F;&C4DA)e&%UZNn6_YsA8yq_q_;{!xV9v>n~^Z4)|`x4~iLE4ufpCHnMe3Hlr@+l%S'
            '$ft>{AfF+!gM60A3Gz9@ALR2yAjlVp+#p{h@`8Mc$Pe-e@hHfbiN`@6C7uL%j3@~56{0Z6SBat^j}yf~zDAS;`8rV=<Qv4(Am1dO1^E{7Jjl0+'
            'V36<p@jM~OcZsqf-y>cGd4ebp@_piEkiRBg1^EF{5#)zNWsn~cRY87CR0sJ9Q4{2+L~W3t5p_X+PSgka8=@h|FNnq<za*N1{EBD}@@t|c$Zv?&'
            'Ab(4=1^GLoJ;>h^9YOwq2nYEs(HZ1-#7c;N2+>&=;<rRR#P5i;5WgqZL;NGL5#kTTW{7_xwnF?fu^r-Hh@BAsO6-RCH)1cuzY~cN|3U1B_)p?>'
            'h$o4I5dTFShIncj$5Du<5yv5(PMm~z25}nVnZ#L$XAu=)J|3p=g!u$f73Pyfb(l{PHDNwY)Q0&CQ5WX3M17dg5e;EJPc(-40?`!ai$rsnFA*(a'
            '9wA!8e3@tq^C;0C<}sop%vXqTn6Livd?(D~L|2%v5#3?FPV|KN2GJYln?zrjZxQ`rzD*2-`3^A{=DWmDnC}t8VV)pH!hD|?4fEH;SePFW;|cd+'
            '!i|Z9`-qrKxQ~gcg!_b;PPk8rnS}d{m`%9PiMfRP4Kbf^Ul0ok_a(8Ia9<Hi3HLP-Nw{x_<%Ih!5ly(?5wV2(J+YE-e;`&9?pq?BaNiMY3HLp*'
            'o^XF8HWKa!Vl(0XL~JG8pNZ{+`wOv?aDOFs6Yg)sUc&vINF>}pi2a27C-FMrP7((R_b(zfE>^`wq{YQ*B0VnF5E*f?mdK2YbwpNNtS7SLVgr#A'
            '7aIwGTx=o&aj}`mjf*WrUR-P?^5bF~@hC2~6OZF!2k|5>hKYi>*hv(|#V(>KE_M^eaj}OeiHp5NX<Y0hp2o#~;#piAAfCs?K_VCzhlo&I945-*'
            ';t25~E{+oAadC`z85hTiS8;KIsECV`L}gr@BK|)EK|@^'
        ),
    },
}
