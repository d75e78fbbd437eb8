"""Games as environments: compiled steps of one or many games, shared by the interfaces to other libraries."""
