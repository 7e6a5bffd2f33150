-- External ids in the form of `shared/identifying-text.ts`: NFC, each blank a space, none at the ends, nothing invisible. Where this makes two credits of an
-- estate the same, the later one gets the end of its id, as in `A-1 (0f3c9a)`.
DO $$
DECLARE
  one record;
  form text;
BEGIN
  FOR one IN
    SELECT id, patrimony_id, external_id, originator_id FROM tokenization.assets
    WHERE external_id ~ '[^!-~]' AND external_id <> btrim(regexp_replace(regexp_replace(normalize(external_id, NFC),
      U&'[\00A0\1680\2000-\200A\202F\205F\3000]', ' ', 'g'),
      U&'[\00AD\034F\061C\115F\1160\17B4\17B5\180B-\180F\200B-\200F\2028-\202E\2060-\206F\2800\3164\FE00-\FE0F\FEFF\FFA0\FFF0-\FFFB]', '', 'g'))
    ORDER BY id
  LOOP
    form := btrim(regexp_replace(regexp_replace(normalize(one.external_id, NFC),
      U&'[\00A0\1680\2000-\200A\202F\205F\3000]', ' ', 'g'),
      U&'[\00AD\034F\061C\115F\1160\17B4\17B5\180B-\180F\200B-\200F\2028-\202E\2060-\206F\2800\3164\FE00-\FE0F\FEFF\FFA0\FFF0-\FFFB]', '', 'g'));
    IF form = '' OR EXISTS (SELECT FROM tokenization.assets
      WHERE patrimony_id = one.patrimony_id AND originator_id IS NOT DISTINCT FROM one.originator_id AND external_id = form)
    THEN
      form := btrim(left(form, 80) || ' (' || right(one.id::text, 6) || ')');
    END IF;
    UPDATE tokenization.assets SET external_id = form WHERE id = one.id;
  END LOOP;
END $$;
