"""Value backup shared by the methods: one strongly connected component after the other, with proved error bounds."""
