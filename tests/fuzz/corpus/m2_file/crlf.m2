S She see the dog every days .
A 1 2|||R:VERB:SVA|||sees||saw|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0

S I am agree with you .
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0

S There is many reason to go .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||reasons|||REQUIRED|||-NONE-|||0

S Everything is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

