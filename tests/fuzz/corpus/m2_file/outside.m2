S a b
A 2 9|||X|||y|||REQUIRED|||-NONE-|||0
