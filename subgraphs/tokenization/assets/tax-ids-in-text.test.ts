import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anonymous, type Principal } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { cnpjCheckDigits, cpfCheckDigits, formatDocument } from '../../../shared/kernel/tax-id.js';
import { assetSearchText } from './search-text.js';
import { maskTaxIdsIn, originatorTextFor } from './tax-ids-in-text.js';

const person = { debtorDocument: '52998224725' };
const company = { debtorDocument: '11222333000181' };

describe('an external id', () => {
  test.each([
    ['CT-52998224725-001', company, 'CT-***.***.*47-25-001', 'ct 001'],
    ['CT52998224725', company, 'CT***.***.*47-25', 'ct'],
    ['529.982.247-25', company, '***.***.*47-25', ''],
    ['CT_529_982_247_25_1', company, 'CT_***.***.*47-25_1', 'ct 1'],
    // The debtor's own is one wherever it is.
    ['00152998224725001', person, '001***.***.*47-25001', '001 001'],
    ['NF 11.222.333/0001-81 7', company, 'NF **.***.***/**01-81 7', 'nf 7'],
    ['ZQ-529982247-E', person, 'ZQ-***.***.***-**-E', 'zq e'],
    ['7529.982.2478', person, '7***.***.***-**8', '7 8'],
    ['529--982 - 247', person, '***.***.***-**', ''],
    ['Q５２９９８２２４７x', person, 'Q***.***.***-**x', 'q x'],
    ['Q٥٢٩٩٨٢٢٤٧', person, 'Q***.***.***-**', 'q'],
    ['Q⁵²⁹⁹⁸²²⁴⁷', person, 'Q***.***.***-**', 'q'],
    ['Q𝟓𝟐𝟗𝟗𝟖𝟐𝟐𝟒𝟕𝟐𝟓', person, 'Q***.***.*47-25', 'q'],
    ['A-52998224', person, 'A-***.***.***-**', 'a'],
    ['A-5299822/x', person, 'A-***.***.***-**/x', 'a x'],
    ['A-529982', person, 'A-529982', 'a 529982'],
    ['5/2/9/9/8/2/2/4/7', person, '***.***.***-**', ''],
    [
      `H-${(52998224725).toString(16)}-${(529982247).toString(16).toUpperCase()}`,
      person,
      'H-***.***.***-**-***.***.***-**',
      'h',
    ],
    ['C-12345678-1 12345678909', { debtorDocument: '01234567890' }, 'C-***.***.***-**-1 ***.***.***-**9', 'c 1 9'],
    ['C-123', { debtorDocument: '00000012319' }, 'C-123', 'c 123'],
    ['11222333', company, '**.***.***/****-**', ''],
    ['N 11.222.333/0001 9', company, 'N **.***.***/****-** 9', 'n 9'],
    ['00152998224725001', company, '00152998224725001', '00152998224725001'],
    ['52998224726', person, '***.***.***-**26', '26'],
    ['CCB-2025-000123', person, 'CCB-2025-000123', 'ccb 2025 000123'],
  ])('%s shows tax ids masked, and is searched without them', (externalId, debtor, shown, searched) => {
    expect(maskTaxIdsIn(externalId, debtor)).toBe(shown);
    const debtorName = 'Ipê';
    const name = debtor === company ? ' ipe' : '';
    expect(assetSearchText({ externalId, debtorName, ...debtor })).toBe(`${searched}${name}`.trim());
  });

  test('shows no tax id of its debtor, and is found by no group of its digits, whatever stands around it', () => {
    const cpf = fc
      .stringMatching(/^[0-9]{9}$/)
      .filter((base) => !/^(.)\1*$/.test(base))
      .map((base) => `${base}${cpfCheckDigits(base)}`);
    const cnpj = fc
      .stringMatching(/^[0-9A-Z]{12}$/)
      .filter((base) => !/^(.)\1*$/.test(base))
      .map((base) => `${base}${cnpjCheckDigits(base)}`);
    const around = fc.stringMatching(/^[a-z ._/-]{0,10}$/);
    fc.assert(
      fc.property(
        fc.oneof(cpf, cnpj),
        around,
        around,
        fc.boolean(),
        fc.boolean(),
        (debtorDocument, before, after, isPrinted, isWhole) => {
          const shown = isPrinted ? formatDocument(debtorDocument) : debtorDocument;
          const written = isWhole
            ? shown
            : shown.slice(0, debtorDocument.length === 11 ? (isPrinted ? 11 : 9) : isPrinted ? 10 : 8);
          const externalId = `${before}${written}${after}`;
          expect(maskTaxIdsIn(externalId, { debtorDocument })).not.toContain(written);
          const searched = assetSearchText({ externalId, debtorName: 'Ipê', debtorDocument });
          expect(searched).not.toMatch(/[0-9]/);
        },
      ),
    );
  });

  test('is whole for its originator and operators alone, and masked by the tax id of now too', () => {
    const asset = { ...company, originatorId: newId() };
    const shownTo = (principal: Principal) => originatorTextFor(principal, 'A152998224725001', asset, person);
    const as = (kind: Principal['kind'], ownerId: string, ...scopes: string[]): Principal => ({
      kind,
      id: 'credential',
      ownerId,
      scopes,
    });
    for (const principal of [anonymous('127.0.0.1'), as('API_KEY', 'account'), as('CLIENT', newId())])
      expect(shownTo(principal)).toBe('A1***.***.*47-25001');
    for (const principal of [as('CLIENT', asset.originatorId), as('OPERATOR', 'operator', 'read')])
      expect(shownTo(principal)).toBe('A152998224725001');
  });
});
