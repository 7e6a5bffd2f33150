-- The slugs of estates, by which their operations are found too, as tokenization announced them. The event with the greatest number counts
-- (`shared.outbox.position`); an estate that was deleted has no slug.
CREATE TABLE issuances.estate_slugs (
  patrimony_id uuid PRIMARY KEY,
  slug text,
  operation_ticker text,
  event_sequence bigint NOT NULL
);
CREATE INDEX estate_slugs_slug ON issuances.estate_slugs (lower(slug));
