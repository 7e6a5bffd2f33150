import { expect, test } from '@jest/globals';
import { parse, print } from 'graphql';
import { internalNames } from './internal-names.js';

test('an alias that is the name of a key or of a required field, however deep, is planned under another name', () => {
  const sdl = `
    directive @join__type(graph: String!, key: String) on OBJECT
    directive @join__field(graph: String, requires: String) on FIELD_DEFINITION
    type Query { asset: Asset }
    type Asset @join__type(graph: "A", key: "estate { ticker } number") {
      title: String
      risk: Int @join__field(graph: "B", requires: "terms { rate }")
    }`;
  const nameInternally = internalNames(parse(sdl));
  for (const name of ['estate', 'ticker', 'number', 'terms', 'rate']) {
    const document = parse(`{ asset { ${name}: title } }`);
    expect(print(nameInternally(document).document)).toContain(`caller_${name}: title`);
  }
  const other = parse('{ asset { name: title } }');
  expect(nameInternally(other).document).toBe(other);
});
