import { printable, type Parameter, type Route } from '../route.js';
import { pageSize, taxId } from './parameters.js';
import { decimal, noProfile, trading, transferCurrency, walletParameters } from './trading.js';

const noCustody = 'No custody of real funds is connected: only synthetic funds come and go.';

const pageParameters: Readonly<Record<string, Parameter>> = {
  ...walletParameters,
  first: pageSize(),
  after: { description: '`pageInfo.endCursor` of the page before, of the same wallet. Omitted: the first page.' },
};

const list = { ...trading, method: 'GET', scope: 'read', status: 200, faults: { 404: noProfile } } as const;

export const tradingTransferRoutes: readonly Route[] = [
  {
    ...list,
    path: '/v1/transfers/fetchDeposits',
    operation: 'deposits',
    operationId: 'fetchDeposits',
    summary: 'List deposits',
    description: 'The deposits of the wallet, the newest first. One that is not `CONFIRMED` is not credited.',
    answer: 'A page of deposits.',
    parameters: pageParameters,
    example: { query: { first: '10' } },
  },
  {
    ...list,
    path: '/v1/transfers/fetchWithdrawals',
    operation: 'withdrawals',
    operationId: 'fetchWithdrawals',
    summary: 'List withdrawals',
    description: 'The withdrawals of the wallet, the newest first.',
    answer: 'A page of withdrawals.',
    parameters: pageParameters,
    example: { query: { first: '10' } },
  },
  {
    ...trading,
    method: 'GET',
    path: '/v1/wallet/fetchDepositAddress',
    operation: 'fetchDepositAddress',
    scope: 'read',
    status: 200,
    summary: 'Get deposit addresses',
    description:
      'Where the wallet takes deposits of a currency in: an address for each network, that of the default network first. They stay the same. BRL comes in by a PIX key, or by TED to a bank account (bank/branch/account). A deposit is credited after its confirmations, and `deposit.confirmed` is sent then.',
    answer: 'The addresses.',
    absent: ['addresses.memo'],
    faults: { 404: noProfile, 503: noCustody },
    parameters: {
      ...walletParameters,
      currency: transferCurrency,
      network: {
        description: 'One network of the currency: pix, ted, bitcoin, ethereum or polygon. Omitted: every one.',
        schema: { pattern: '^[a-z][a-z0-9-]{1,39}$' },
        rule: 'must be a network, as ethereum',
      },
    },
    example: { query: { currency: 'BTC' } },
  },
  {
    ...trading,
    method: 'POST',
    path: '/v1/wallet/withdraw',
    operation: 'withdraw',
    scope: 'withdraw',
    status: 201,
    summary: 'Withdraw funds',
    description:
      'Sets amount and fee aside, and sends the amount once that is approved where it has to be; `withdrawal.completed` is sent when it arrived. What fails is available again, with the fee. Send an idempotency key.',
    answer: 'The withdrawal was taken.',
    faults: {
      400: 'The body is not valid, or less than amount and fee is available (code CAAS_ORD_001).',
      403: 'The credential lacks the scope `withdraw`, or the company or the profile is suspended.',
      404: noProfile,
      409: 'A deposit of the wallet was taken back by its network and waits for the operator, or the idempotency key conflicts.',
      422: 'The address is wrong for the network or not on the company’s list, the amount is below the minimum or above a limit, or fields of the travel rule are missing; all such errors at once.',
      503: `${noCustody} Or the currency is halted for the moment.`,
    },
    parameters: {
      ...walletParameters,
      asset: transferCurrency,
      amount: decimal(
        'What is to arrive, as a decimal string with no more decimals than the currency has. The fee comes on top.',
      ),
      address: {
        description:
          'Where it goes: an address with a right checksum; for pix a CPF, CNPJ, e-mail, phone (+5511912345678) or random key; for ted bank/branch/account.',
        schema: { minLength: 1, maxLength: 200 },
        rule: 'must have 1 to 200 characters',
      },
      network: {
        description:
          'The network. Omitted: pix for BRL (also ted), bitcoin for BTC, ethereum for ETH, ethereum for USDT (also polygon).',
        schema: { pattern: '^[a-z][a-z0-9-]{1,39}$' },
        rule: 'must be a network, as ethereum',
      },
      beneficiaryName: {
        description:
          'Who gets it. Required, with the two fields below, above an amount in BRL that the house sets (travel rule).',
        schema: { minLength: 1, maxLength: 200, pattern: printable.some },
        rule: 'must have 1 to 200 characters, not all of them spaces, none a control character',
      },
      beneficiaryTaxId: taxId('CPF or CNPJ of who gets it, without punctuation.'),
      selfCustody: { description: 'Whether who gets it holds the keys of the address.' },
    },
    example: {
      body: { asset: 'BRL', amount: '150.00', address: 'maria.oliveira@cliente.example', network: 'pix' },
    },
  },
];
