import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cnpjCheckDigits, cpfCheckDigits } from '../../shared/kernel/tax-id.js';
import {
  formIssues,
  taxIdIssues,
  transition,
  type SuspendedBy,
  type SuspensionEvent,
} from '../../subgraphs/trading/profiles/profile.js';

describe('who has a profile suspended', () => {
  const events: SuspensionEvent[] = ['companySuspends', 'companyActivates', 'operatorSuspends', 'operatorActivates'];

  test('is, after any acts, who suspended it last without taking that back; the company takes nothing back of the operator', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (acts) => {
        const model = { company: false, operator: false };
        let state: SuspendedBy = null;
        for (const event of acts) {
          const next = transition(state, event);
          const refused = event === 'companyActivates' && model.operator;
          expect(next === 'REFUSED').toBe(refused);
          if (next === 'REFUSED') continue;
          state = next;
          if (event.startsWith('company')) model.company = event === 'companySuspends';
          else model.operator = event === 'operatorSuspends';
          const { company, operator } = model;
          expect(state).toBe(company && operator ? 'BOTH' : company ? 'COMPANY' : operator ? 'OPERATOR' : null);
        }
      }),
    );
  });
});

describe('a tax id', () => {
  const digit = fc.constantFrom(...Array.from('0123456789'));
  const character = fc.constantFrom(...Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'));
  const text = (unit: typeof digit, length: number) => fc.string({ unit, minLength: length, maxLength: length });
  const varied = (base: string) => new Set(base).size > 1;
  const input = { name: 'Maria', email: 'maria@cliente.example' };

  test('with its check digits is taken, and with any other two is none', () => {
    const cpf = text(digit, 9)
      .filter(varied)
      .map((base) => ({ base, right: cpfCheckDigits(base), taxIdType: 'CPF' as const }));
    const cnpj = text(character, 12)
      .filter(varied)
      .map((base) => ({ base, right: cnpjCheckDigits(base), taxIdType: 'CNPJ' as const }));
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), text(digit, 2), ({ base, right, taxIdType }, other) => {
        const of = (taxId: string) => ({ ...input, taxId, taxIdType });
        expect([formIssues(of(base + right)), taxIdIssues(of(base + right))]).toEqual([[], []]);
        expect(taxIdIssues(of(base + other))).toHaveLength(other === right ? 0 : 1);
      }),
    );
  });

  test('of any text that has not the form is reported as an error of form, and nothing throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('CPF' as const, 'CNPJ' as const),
        (taxId, taxIdType) => {
          const right = taxIdType === 'CPF' ? /^\d{11}$/.test(taxId) : /^[0-9A-Z]{12}\d{2}$/.test(taxId);
          expect(formIssues({ ...input, taxId, taxIdType })).toHaveLength(right ? 0 : 1);
          expect(taxIdIssues({ taxId, taxIdType }).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
