import { expect, test } from '@jest/globals';
import { pixCode, pixKeyOf } from '../../apps/panel/trading/pix-code.js';

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

test.each([
  ['529.982.247-25', '52998224725'],
  ['11.222.333/0001-81', '11222333000181'],
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['+55 11 91234-5678', '+5511912345678'],
  ['+55 (11) 91234-5678', '+5511912345678'],
  // Without its country it would be eleven digits, as a CPF is.
  ['11 91234-5678', '11 91234-5678'],
  ['(11) 91234-5678', '(11) 91234-5678'],
  ['ana.souza-lima@casa.example', 'ana.souza-lima@casa.example'],
  ['123e4567-e12b-12d1-a456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
])('the PIX key %s is %s', (typed, key) => {
  expect(pixKeyOf(typed)).toBe(key);
});
