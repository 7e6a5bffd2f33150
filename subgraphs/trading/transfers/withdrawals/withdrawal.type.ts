import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../../shared/graphql/describe-enum.js';
import { connectionType } from '../../../../shared/graphql/connection-type.js';
import { DateTimeScalar, DecimalScalar } from '../../../../shared/graphql/scalars.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { formatAmount } from '../../format-amount.js';
import { nextTokenText } from '../../profiles/require-wallet.js';
import { publicStatus, type WithdrawalState, type WithdrawalStatus } from './withdrawal.js';
import type { WithdrawalRow } from './withdrawal.store.js';

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
export class Withdrawal {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'Code of the currency.' })
  asset!: string;

  @Field(() => DecimalScalar, { description: 'Amount that arrives, in that currency and with its decimals.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Fee in the same currency, in addition to the amount.' })
  fee!: string;

  @Field(() => String, { description: 'Destination, in the canonical form of the network.' })
  address!: string;

  @Field(() => String, { description: 'Network of the withdrawal.' })
  network!: string;

  @Field(() => WithdrawalStatusEnum, { description: 'Status.' })
  status!: WithdrawalStatus;

  @Field(() => DateTimeScalar, { description: 'Time of the request.' })
  createdAt!: Date;

  @Field(() => String, { nullable: true, description: 'Id of the transaction on its network; null until it was sent.' })
  transaction!: string | null;

  @Field(() => String, { nullable: true, description: 'Reason of the failure; null unless it failed.' })
  failure!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was sent; null until then.' })
  sentAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of completion; null until then, and for a withdrawal that came back afterwards.',
  })
  completedAt!: Date | null;

  @Field(() => Int, { description: 'Number of approvals by the platform that it requires before it is sent.' })
  approvalsNeeded!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A network on which a currency is withdrawn.' })
export class WithdrawalNetwork {
  @Field(() => String, { description: 'Name, as `withdraw` takes it.' })
  network!: string;

  @Field(() => DecimalScalar, { description: 'Fee, in the currency and in addition to the amount.' })
  fee!: string;

  @Field(() => DecimalScalar, { description: 'Minimum amount, in the currency.' })
  minimum!: string;

  @Field(() => Int, { description: 'Number of confirmations after which it is complete.' })
  confirmations!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What holds for withdrawals of a currency from a wallet now.' })
export class WithdrawalTerms {
  @Field(() => [WithdrawalNetwork], { description: 'Networks of the currency, its default first.' })
  networks!: Shape<WithdrawalNetwork>[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Limit of the company and its profiles in 24 hours, in the currency; null for none.',
  })
  limit!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Rest of that limit, in the currency; null without a limit.',
  })
  limitLeft!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Value in BRL that the company and its profiles can still withdraw without approvals, within 24 hours; null for synthetic funds, which need none.',
  })
  unapprovedLeftBrl!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What an operator weighs before approving a withdrawal.' })
export class WithdrawalBackground {
  @Field(() => String, { description: 'Name of the company that requested it.' })
  companyName!: string;

  @Field(() => String, {
    nullable: true,
    description: "Name of the profile whose wallet pays; null for the company's own wallet.",
  })
  profileName!: string | null;

  @Field(() => Int, {
    description: 'Number of earlier withdrawals of the company to this address that were sent.',
  })
  earlier!: number;

  @Field(() => DecimalScalar, {
    description:
      'What the company and its profiles withdrew of the currency in the 24 hours before the request, this withdrawal included, in the currency.',
  })
  withdrawn!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Limit of the company and its profiles in 24 hours, in the currency; null for none.',
  })
  limit!: string | null;
}

export const WithdrawalConnection = connectionType(Withdrawal, {
  name: 'Withdrawal',
  nodes: 'withdrawals',
  order: 'newest first',
});

@ObjectType({ simpleResolvers: true, description: 'A page of withdrawals, newest first.' })
export class WithdrawalList {
  @Field(() => [Withdrawal], { description: 'The withdrawals of this page.' })
  withdrawals!: Shape<Withdrawal>[];

  @Field(() => String, { nullable: true, description: nextTokenText })
  nextToken!: string | null;
}

// A resolver adds the number of approvals, and what bars the caller from one.
@ObjectType({ simpleResolvers: true, description: 'A withdrawal of any company, for operators.' })
export class TransferWithdrawal {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => ID, { description: 'Id of the company that requested it (UUID).' })
  companyId!: string;

  @Field(() => ID, { description: 'Id of the wallet from which it is paid (UUID).' })
  walletId!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => WithdrawalStateEnum, { description: 'Status.' })
  state!: WithdrawalState;

  @Field(() => Withdrawal, { description: 'As its company sees it.' })
  withdrawal!: Withdrawal;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Value in BRL at the time of the request; null when no price was known.',
  })
  valueBrl!: string | null;

  @Field(() => Int, {
    description:
      "Number of required approvals, each by another operator: 2 where the value is not known, or is above `WITHDRAWAL_APPROVAL_ABOVE` together with those of the company's other withdrawals of 24 hours that needed none; otherwise 0, and for synthetic ones.",
  })
  approvalsNeeded!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the beneficiary; null when the company did not give it.',
  })
  beneficiaryName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'CPF or CNPJ of the beneficiary; null when the company did not give it.',
  })
  beneficiaryTaxId!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the beneficiary holds the keys; null when the company did not give it.',
  })
  selfCustody!: boolean | null;

  @Field(() => Int, { description: 'Number of requests to custody to send it, or about its state.' })
  attempts!: number;
}

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
