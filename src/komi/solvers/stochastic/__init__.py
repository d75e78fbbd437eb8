"""Games of chance with two players or one, solved by backups of one component after the other."""
