/// x
enum P1 {}
