import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../../shared/graphql/describe-enum.js';
import { connectionType } from '../../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { formatAmount } from '../../format-amount.js';
import { publicStatus, type WithdrawalState, type WithdrawalStatus } from './withdrawal.js';
import type { WithdrawalRow } from './withdrawal.store.js';
import { decimal, fields, flag, id, int, list, nullable, of, text, time } from '../../../../shared/graphql/fields.js';

export const WithdrawalStatusEnum = describeEnum<WithdrawalStatus>(
  'WithdrawalStatus',
  'Status of a withdrawal.',
  {
    PENDING: 'It waits for approval, or to be sent. Amount and fee are held.',
    PROCESSING: 'It is being sent, or has too few confirmations.',
    COMPLETED: 'It arrived.',
    FAILED:
      'It was rejected, refused by custody or returned, maybe after it had arrived; amount and fee are available again.',
  },
  {
    PENDING: ['Pendente', 'Pending'],
    PROCESSING: ['Em processamento', 'Processing'],
    COMPLETED: ['Concluído', 'Completed'],
    FAILED: ['Não realizado', 'Failed'],
  },
);

export const WithdrawalStateEnum = describeEnum<WithdrawalState>(
  'WithdrawalState',
  'State of a withdrawal, for operators.',
  {
    AWAITING_APPROVAL: 'It waits for the approval of operators.',
    READY: 'It is about to be sent.',
    SENDING: 'Custody was asked to send it, and has not confirmed that yet.',
    SENT: 'Custody has sent it; it has too few confirmations.',
    QUARANTINED: 'Its outcome at custody is unknown: an operator has to determine it.',
    UNCONFIRMED: 'It was sent, but custody does not know it: an operator has to determine its outcome.',
    COMPLETED: 'It arrived.',
    FAILED: 'Custody refused it, or the network returned it.',
    REJECTED: 'An operator rejected it.',
  },
  {
    AWAITING_APPROVAL: ['Aguardando aprovação', 'Awaiting approval'],
    READY: ['Pronto para envio', 'Ready'],
    SENDING: ['Em envio', 'Sending'],
    SENT: ['Enviado', 'Sent'],
    QUARANTINED: ['Em quarentena', 'Quarantined'],
    UNCONFIRMED: ['Não confirmado', 'Unconfirmed'],
    COMPLETED: ['Concluído', 'Completed'],
    FAILED: ['Não realizado', 'Failed'],
    REJECTED: ['Rejeitado', 'Rejected'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'A withdrawal of a wallet.' })
export class Withdrawal extends fields({
  id: id('Id (UUID).'),
  asset: text('Code of the currency.'),
  amount: decimal('Amount that arrives, in that currency and with its decimals.'),
  fee: decimal('Fee in the same currency, in addition to the amount.'),
  address: text('Destination, in the canonical form of the network.'),
  network: text('Network of the withdrawal.'),
  status: of(() => WithdrawalStatusEnum, 'Status.'),
  createdAt: time('Time of the request.'),
  transaction: nullable.text('Id of the transaction on its network; null until it was sent.'),
  failure: nullable.text('Reason of the failure; null unless it failed.'),
  sentAt: nullable.time('Time at which it was sent; null until then.'),
  completedAt: nullable.time('Time of completion; null until then, and for a withdrawal that came back afterwards.'),
  approvalsNeeded: int('Number of approvals by the platform that it requires before it is sent.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A network on which a currency is withdrawn.' })
export class WithdrawalNetwork extends fields({
  network: text('Name, as `withdraw` takes it.'),
  fee: decimal('Fee, in the currency and in addition to the amount.'),
  minimum: decimal('Minimum amount, in the currency.'),
  confirmations: int('Number of confirmations after which it is complete.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'What holds for withdrawals of a currency from a wallet now.' })
export class WithdrawalTerms extends fields({
  networks: list<Shape<WithdrawalNetwork>>(() => WithdrawalNetwork, 'Networks of the currency, its default first.'),
  limit: nullable.decimal('Limit of the company and its profiles in 24 hours, in the currency; null for none.'),
  limitLeft: nullable.decimal('Rest of that limit, in the currency; null without a limit.'),
  unapprovedLeftBrl: nullable.decimal(
    'Value in BRL that the company and its profiles can still withdraw without approvals, within 24 hours; null for synthetic funds, which need none.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'What an operator weighs before approving a withdrawal.' })
export class WithdrawalBackground extends fields({
  companyName: text('Name of the company that requested it.'),
  profileName: nullable.text("Name of the profile whose wallet pays; null for the company's own wallet."),
  earlier: int('Number of earlier withdrawals of the company to this address that were sent.'),
  withdrawn: decimal(
    'What the company and its profiles withdrew of the currency in the 24 hours before the request, this withdrawal included, in the currency.',
  ),
  limit: nullable.decimal('Limit of the company and its profiles in 24 hours, in the currency; null for none.'),
}) {}

export const WithdrawalConnection = connectionType(Withdrawal, {
  name: 'Withdrawal',
  nodes: 'withdrawals',
  order: 'newest first',
  documented: 'token',
});

// A resolver adds the number of approvals, and what bars the caller from one.
@ObjectType({ simpleResolvers: true, description: 'A withdrawal of any company, for operators.' })
export class TransferWithdrawal extends fields({
  id: id('Id (UUID).'),
  companyId: id('Id of the company that requested it (UUID).'),
  walletId: id('Id of the wallet from which it is paid (UUID).'),
  synthetic: flag('Whether it is synthetic.'),
  state: of(() => WithdrawalStateEnum, 'Status.'),
  withdrawal: of(() => Withdrawal, 'As its company sees it.'),
  valueBrl: nullable.decimal('Value in BRL at the time of the request; null when no price was known.'),
  approvalsNeeded: int(
    "Number of required approvals, each by another operator: 2 where the value is not known, or is above `WITHDRAWAL_APPROVAL_ABOVE` together with those of the company's other withdrawals of 24 hours that needed none; otherwise 0, and for synthetic ones.",
  ),
  beneficiaryName: nullable.text('Name of the beneficiary; null when the company did not give it.'),
  beneficiaryTaxId: nullable.text('CPF or CNPJ of the beneficiary; null when the company did not give it.'),
  selfCustody: nullable.flag('Whether the beneficiary holds the keys; null when the company did not give it.'),
  attempts: int('Number of requests to custody to send it, or about its state.'),
}) {}

export const TransferWithdrawalConnection = connectionType(TransferWithdrawal, {
  name: 'TransferWithdrawal',
  nodes: 'withdrawals of any company',
  order: 'newest first',
});

export function toWithdrawal({ currency: asset, decimals, state, ...row }: WithdrawalRow): Shape<Withdrawal> {
  const [amount, fee] = [formatAmount(row.amount, decimals), formatAmount(row.fee, decimals)];
  return { ...row, asset, amount, fee, status: publicStatus[state] };
}

export const toTransferWithdrawal = (row: WithdrawalRow): Shape<TransferWithdrawal> => ({
  ...row,
  withdrawal: toWithdrawal(row),
});
