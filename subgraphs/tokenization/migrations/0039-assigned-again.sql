-- contract: the index of the migration before keeps live credits unique, and no statement names this one: what was written off may be assigned again
DROP INDEX tokenization.assets_assigned;
