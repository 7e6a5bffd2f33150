import { expect, test } from '@jest/globals';
import { pixCode } from '../../apps/panel/trading/pix-code.js';

test('the code of a PIX key is that of the manual of the Banco Central', () => {
  expect(pixCode('123e4567-e12b-12d1-a456-426655440000', 'Fulano de Tal')).toBe(
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  );
});

test('the name of the recipient is written in letters that every bank reads', () => {
  expect(pixCode('a@b.example', 'Securitização & Crédito do Brasil S.A.')).toContain(
    '5925Securitizacao & Credito d6008',
  );
});
