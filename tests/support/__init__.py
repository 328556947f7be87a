"""What several tests share: example graphs, plain definitions, laws, generators of hostile input."""
