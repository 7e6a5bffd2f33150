import { describe, expect, test } from '@jest/globals';
import { issueStatusOf } from './issue-status.js';

describe('the status that a published label means', () => {
  test.each([
    ['Em andamento', 'ACTIVE'],
    ['Ativa', 'ACTIVE'],
    ['VIGENTES', 'ACTIVE'],
    ['Em distribuição', 'OFFERED'],
    ['em distribuicao', 'OFFERED'],
    ['Inadimplente', 'DEFAULTED'],
    ['Vencida', 'ENDED'],
    ['Vencidas antecipadamente', 'ACCELERATED'],
    ['Resgatado', 'ENDED'],
    ['  Liquidadas ', 'ENDED'],
    ['Cancelado', 'CANCELLED'],
  ])('%s is %s', (label, status) => {
    expect(issueStatusOf(label)).toBe(status);
  });

  test.each(['Em carência', 'Ativa, com ressalvas', '', 'constructor', 'Inativa'])('%j is none of them', (label) => {
    expect(issueStatusOf(label)).toBe('OTHER');
  });
});
