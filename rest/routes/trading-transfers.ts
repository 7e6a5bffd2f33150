import { printable, type Parameter, type Route } from '../route.js';
import { decimal, pageSize, taxId } from './parameters.js';
import { noProfile, trading, transferCurrency, walletParameters } from './trading.js';

const noCustody = 'No custody of real funds is connected: only synthetic funds can be deposited and withdrawn.';

const pageParameters: Readonly<Record<string, Parameter>> = {
  ...walletParameters,
  limit: pageSize(),
  nextToken: {
    description: '`nextToken` of the previous page, of the same wallet. Omitted: the first page.',
    schema: { maxLength: 500 },
  },
};

const list = { ...trading, method: 'GET', scope: 'read', status: 200, errors: { 404: noProfile } } as const;

export const tradingTransferRoutes: readonly Route[] = [
  {
    ...list,
    path: '/v1/transfers/fetchDeposits',
    operation: 'fetchDeposits',
    summary: 'List deposits',
    description: 'The deposits of the wallet, newest first. Only a `CONFIRMED` deposit is credited.',
    response: 'A page of deposits.',
    parameters: pageParameters,
    example: { query: { limit: '10' } },
  },
  {
    ...list,
    path: '/v1/transfers/fetchWithdrawals',
    operation: 'fetchWithdrawals',
    summary: 'List withdrawals',
    description: 'The withdrawals of the wallet, newest first.',
    response: 'A page of withdrawals.',
    parameters: pageParameters,
    example: { query: { limit: '10' } },
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
      'The addresses for deposits of a currency into the wallet: one for each network, the default network first. They never change. BRL is deposited to a PIX key, or by TED to a bank account (bank/branch/account). A deposit is credited after its confirmations, and the event `deposit.confirmed` is sent; if its network reverses it later, `deposit.reversed` is.',
    response: 'The addresses.',
    errors: { 404: noProfile, 503: noCustody },
    parameters: {
      ...walletParameters,
      currency: transferCurrency,
      network: {
        description: 'One network of the currency: pix, ted, bitcoin, ethereum or polygon. Omitted: all networks.',
        schema: { pattern: '^[a-z][a-z0-9-]{1,39}$' },
        rule: 'must be a network in lower case, such as pix, bitcoin or ethereum',
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
      'Holds amount and fee, and sends the amount, after approval if one is needed; the event `withdrawal.completed` is sent when the amount has arrived. If the withdrawal fails, amount and fee become available again. Send an idempotency key.',
    response: 'The withdrawal was accepted.',
    errors: {
      400: 'The body is not valid, or the available balance is less than amount and fee (code CAAS_ORD_001).',
      403: 'The credential lacks the scope `withdraw`, or the company or the profile is suspended.',
      404: noProfile,
      409: 'A deposit of the wallet was reversed by its network and is waiting for an operator, or the idempotency key conflicts.',
      422: 'The address is wrong for the network, not on the company’s list, one from which nothing comes back (a burn address, the contract of a token) or a deposit address of the platform, the amount is below the minimum or above a limit, or fields of the travel rule are missing; all such errors are listed.',
      503: `${noCustody} Or withdrawals of the currency are halted at the moment.`,
    },
    parameters: {
      ...walletParameters,
      asset: transferCurrency,
      amount: decimal(
        'Amount that the recipient gets, as a decimal string with at most the decimals of the currency. The fee is added.',
      ),
      address: {
        description:
          'Destination: an address with a correct checksum; for pix a CPF, CNPJ, e-mail, phone with its country (+5511912345678) or random key; for ted bank/branch/account.',
        schema: { minLength: 1, maxLength: 200 },
        rule: 'must have 1 to 200 characters',
      },
      network: {
        description:
          'The network. Omitted: pix for BRL (also ted), bitcoin for BTC, ethereum for ETH, ethereum for USDT (also polygon).',
        schema: { pattern: '^[a-z][a-z0-9-]{1,39}$' },
        rule: 'must be a network in lower case, such as pix, bitcoin or ethereum',
      },
      beneficiaryName: {
        description:
          'Name of the recipient. Where the operator applies the travel rule, required with the two fields below for a withdrawal to a chain above a configured amount in BRL, and while no price is known, unless the address is on the company’s list.',
        schema: { minLength: 1, maxLength: 200, pattern: printable.some },
        identifies: true,
        rule: 'must have 1 to 200 characters, not all of them spaces, none a control character',
      },
      beneficiaryTaxId: taxId('CPF or CNPJ of the recipient, without punctuation.'),
      selfCustody: { description: 'Whether the recipient holds the keys of the address.' },
    },
    example: {
      body: { asset: 'BRL', amount: '150.00', address: 'maria.oliveira@cliente.example', network: 'pix' },
    },
  },
];
