import { describeEnum } from '../../../shared/subgraph/describe-enum.js';

const descriptions = {
  ZERO_SUM: 'All accounts of a currency add up to zero',
  LIABILITIES_COVERED: 'What clients own is covered by what is held for them',
  CLIENT_NOT_NEGATIVE: 'No account of a client is negative',
  LOCKED_IS_HELD: 'The locked funds of a wallet are those of its holds',
  BALANCE_IS_LAST_ENTRY: 'The balance of an account is that of its last entry',
  BALANCE_IS_SUM_OF_ENTRIES: 'The balance of an account is the sum of its entries, which have no gaps',
  ENTRIES_ZERO_SUM: 'The entries of a currency since the last proved month add up to zero',
  ENTRIES_HAVE_A_MONTH: 'Each entry belongs to a month that exists',
  MONTH_ADDS_UP: 'The entries of a closed month add up',
  PROVED_MONTH_STANDS: 'The entries of a proved month are those that were proved',
  VENUE_BALANCE: 'The balance at a venue is that of the ledger',
  CUSTODY_BALANCE: 'The balance in custody is that of the ledger, apart from transfers that are under way',
  DEPOSIT_SET_ASIDE: 'A deposit can be applied',
} as const;

/** What the reconciliation checks. */
export type Invariant = keyof typeof descriptions;

export const InvariantEnum = describeEnum<Invariant>(
  'LedgerInvariant',
  'A rule that the reconciliation of the ledger checks.',
  descriptions,
  {
    ZERO_SUM: ['Soma zero', 'Zero sum'],
    LIABILITIES_COVERED: ['Obrigações cobertas', 'Liabilities covered'],
    CLIENT_NOT_NEGATIVE: ['Cliente sem saldo negativo', 'Client not negative'],
    LOCKED_IS_HELD: ['Bloqueado igual a reservado', 'Locked equals held'],
    BALANCE_IS_LAST_ENTRY: ['Saldo igual ao do último lançamento', 'Balance equals last entry'],
    BALANCE_IS_SUM_OF_ENTRIES: ['Saldo igual à soma dos lançamentos', 'Balance equals sum of entries'],
    ENTRIES_ZERO_SUM: ['Lançamentos com soma zero', 'Entries add up to zero'],
    ENTRIES_HAVE_A_MONTH: ['Lançamentos com mês', 'Entries have a month'],
    MONTH_ADDS_UP: ['Mês fecha', 'Month adds up'],
    PROVED_MONTH_STANDS: ['Mês comprovado inalterado', 'Proved month stands'],
    VENUE_BALANCE: ['Saldo na corretora', 'Balance at a venue'],
    CUSTODY_BALANCE: ['Saldo em custódia', 'Balance in custody'],
    DEPOSIT_SET_ASIDE: ['Depósito separado', 'Deposit set aside'],
  },
);
