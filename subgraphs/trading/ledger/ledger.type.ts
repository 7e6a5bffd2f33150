import { ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/graphql/connection-type.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { decimal, fields, flag, id, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A finding of the reconciliation: a violated invariant of the ledger, a balance at a venue or in custody that differs from the ledger, or a deposit that cannot be applied.',
})
export class ReconciliationFinding extends fields({
  id: id('Id (UUID)'),
  invariant: of(() => InvariantEnum, 'The invariant that does not hold'),
  currency: nullable.text(
    'Code of the currency, which is halted unless it is a `VENUE_BALANCE` or a `CUSTODY_BALANCE`; null for the whole ledger, and for a `DEPOSIT_SET_ASIDE`',
  ),
  synthetic: nullable.flag('Whether it is synthetic; null for real and synthetic together'),
  subject: text(
    'The account, wallet, month, venue or deposit (network, transaction and output) concerned; empty for the whole ledger',
  ),
  expected: text('Expected value'),
  actual: text('Actual value'),
  foundAt: time('Time at which it was found'),
  lastSeenAt: time('Time at which it was last found'),
  resolvedAt: nullable.time('Time at which an operator resolved it; null while it is open'),
  resolution: nullable.text('Explanation by the operator'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A currency in which trading is halted.' })
export class CurrencyHalt extends fields({
  currency: text('Code of the currency'),
  synthetic: flag('Whether it is synthetic'),
  reason: text('Why'),
  haltedAt: time('Time since which it is halted'),
}) {}

const inIts = 'in its currency and with its decimals';

// GET /v1/wallet/fetchBalance (docs/contract/trading.md §2.3).
@ObjectType({ simpleResolvers: true, description: 'Balance of a wallet in one currency.' })
export class Balance extends fields({
  currency: text('Code of the currency: `BRL`, `BTC`'),
  available: decimal(`Amount that can be used, ${inIts}`),
  locked: decimal(`Amount that is held for open orders and withdrawals, ${inIts}`),
  total: decimal(`Sum of available and locked, ${inIts}`),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balances of a wallet as the REST API returns them.' })
export class WalletBalances extends fields({
  wallets: list(() => Balance, 'One balance for every currency, sorted by code; zero for currencies without funds', {
    assumedSize: 20,
  }),
}) {}

const inStatement = 'in the currency of the statement and with its decimals';

@ObjectType({ simpleResolvers: true, description: 'Balance of a wallet in a currency at one time.' })
export class HeldBalance extends fields({
  available: decimal(`Amount that could be used, ${inStatement}`),
  locked: decimal(`Amount that was held, ${inStatement}`),
  total: decimal(`Sum of available and locked, ${inStatement}`),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Effect of one journal of the ledger on a wallet.' })
export class WalletMovement extends fields({
  journalId: id(
    'Id of the journal (UUID); for a correction (cause `operator.correction`) an id for this wallet only, because the journal may affect two clients',
  ),
  postedAt: time('Time of the posting'),
  available: decimal(`Change of the available balance, ${inStatement}`),
  locked: decimal(`Change of the locked balance, ${inStatement}`),
  cause: text('Kind of the cause, such as `order.fill`'),
  causeId: text('Id of the cause; for a correction the same as `journalId`'),
  orderId: nullable.id('Id of the order that it belongs to, also where a quote was executed; null for everything else'),
  reason: nullable.text(
    'Reason of the operator who corrected the ledger (cause `operator.correction`); null for all other causes',
  ),
  market: nullable.text('Symbol of the market of that order; null likewise'),
  network: nullable.text('Network of the withdrawal or deposit; null for everything else'),
  address: nullable.text('Destination of the withdrawal, or address at which the deposit arrived; null likewise'),
  transaction: nullable.text('Id of its transaction on the network; null likewise, and until a withdrawal was sent'),
  fee: nullable.decimal(
    `Fee within the movement, below 0 where it was given back, ${inStatement}; null where it has none in this currency`,
  ),
  balance: of(() => HeldBalance, 'Balance after the movement'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The statement of a wallet in one currency for a period.' })
export class WalletStatement extends fields({
  currency: text('Code of the currency'),
  from: of<string>(() => DateTimeScalar, 'Start of the period, included'),
  to: of<string>(() => DateTimeScalar, 'End of the period, excluded'),
  opening: of(() => HeldBalance, 'Balance at the start of the period'),
  closing: of(() => HeldBalance, 'Balance at the end of the period'),
  movements: list(() => WalletMovement, 'The movements of this page, oldest first'),
  pageInfo: of(() => PageInfo, 'Whether there is a next page, and the cursor from which it continues'),
  nextToken: nullable.text('Token to pass for the next page; null on the last page (omitted over REST).'),
}) {}

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

export type Invariant = keyof typeof descriptions;

const InvariantEnum = describeEnum<Invariant>(
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
