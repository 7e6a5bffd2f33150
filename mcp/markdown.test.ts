import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toMarkdown } from './markdown.js';

test('values are a list, lists of objects tables, objects sections, named in words; what is missing or there twice is left out', () => {
  const value = {
    name: 'Aurora',
    volume: 'R$ 2,00',
    volumeRaw: '2.00',
    taxaRaw: '1.5',
    encerrada: false,
    rating: null,
    chips: ['a', 'b'],
    pu: { valor: 'R$ 1,00' },
    series: [
      { ticker: 'A1', atual: { valor: '1', valorRaw: '1.0' }, isin: null, saldoVencido: '5', saldoVencidoRaw: '5.0' },
      { ticker: 'A2', atual: { valor: '2', valorRaw: '2.0' }, isin: null, saldoVencido: '6', saldoVencidoRaw: '6.0' },
    ],
    historico: [{ serie: '1', precos: [{ data: 'x' }] }],
    vazio: [],
  };
  expect(toMarkdown('Operation', value)).toBe(`# Operation

- Nome: Aurora
- Volume: R$ 2,00
- Taxa raw: 1.5
- Encerrada: Não
- Características: a, b

## PU

- Valor: R$ 1,00

## Séries

| Ticker | Atual, valor | Saldo vencido |
| --- | --- | --- |
| A1 | 1 | 5 |
| A2 | 2 | 6 |

## Historico

### Historico 1

- Série: 1

#### Precos

| Data |
| --- |
| x |
`);
});

test('a text of another can add no line, cell or element', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (texts) => {
      const lines = toMarkdown('T', { rows: texts.map((text) => ({ text, other: 1 })) })
        .trimEnd()
        .split('\n');
      const rows = lines.filter((line) => line.startsWith('| ')).slice(2);
      expect(rows).toHaveLength(texts.length);
      for (const row of rows) {
        expect(row.replaceAll(/\\[\\|<]/g, '').split('|')).toHaveLength(4);
        expect(row).not.toMatch(/[\r\n\u2028\u2029]|(?<!\\)(?:\\\\)*</);
      }
    }),
  );
});
