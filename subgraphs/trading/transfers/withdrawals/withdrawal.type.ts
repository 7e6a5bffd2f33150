import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../../shared/subgraph/describe-enum.js';
import { PageInfo } from '../../../../shared/subgraph/page-info.js';
import { DateTimeScalar, DecimalScalar } from '../../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import { publicStatus, type WithdrawalState, type WithdrawalStatus } from './withdrawal.js';
import type { WithdrawalRow } from './withdrawal.store.js';

export const WithdrawalStatusEnum = describeEnum<WithdrawalStatus>('WithdrawalStatus', 'Where a withdrawal stands.', {
  PENDING: 'It waits to be approved, or to be sent. Amount and fee are set aside.',
  PROCESSING: 'It is being sent, or has too few confirmations.',
  COMPLETED: 'It arrived.',
  FAILED: 'It was rejected, refused or returned; amount and fee are available again.',
});

export const WithdrawalStateEnum = describeEnum<WithdrawalState>(
  'WithdrawalState',
  'Where a withdrawal stands, for operators.',
  {
    AWAITING_APPROVAL: 'Operators have to approve it.',
    READY: 'It is to be sent.',
    SENDING: 'Custody was asked to send it, and has not said that it does.',
    SENT: 'Custody sends it; it has too few confirmations.',
    QUARANTINED: 'Custody does not say what became of it: an operator has to find out.',
    UNCONFIRMED: 'It was sent, and custody does not know of it: an operator has to find out.',
    COMPLETED: 'It arrived.',
    FAILED: 'Custody refused it, or the network returned it.',
    REJECTED: 'An operator rejected it.',
  },
);

// The fields that the documented response shares with every other view of a withdrawal.
@ObjectType({ simpleResolvers: true })
abstract class WithdrawalFields {
  @Field(() => String, { description: 'The currency.' })
  asset!: string;

  @Field(() => DecimalScalar, { description: 'What arrives, in that currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'The fee, in the same currency, on top of the amount.' })
  fee!: string;

  @Field(() => String, { description: 'Where it goes, in the canonical form of the network.' })
  address!: string;

  @Field(() => String, { description: 'The network that it goes by.' })
  network!: string;

  @Field(() => WithdrawalStatusEnum, { description: 'Where it stands.' })
  status!: WithdrawalStatus;

  @Field(() => DateTimeScalar, { description: 'When it was asked for.' })
  createdAt!: Date;
}

// The documented response: it has no other fields, since SOFA shows every field.
@ObjectType({ simpleResolvers: true, description: 'A withdrawal, as it was asked for.' })
export class WithdrawalItem extends WithdrawalFields {
  @Field(() => ID, { description: 'Id (UUID).' })
  withdrawalId!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A withdrawal of a wallet.' })
export class Withdrawal extends WithdrawalFields {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'What the network knows it by; null until it was sent.' })
  transaction!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it failed; null when it did not.' })
  failure!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was sent; null until then.' })
  sentAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was completed; null until then.' })
  completedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of withdrawals.' })
export class WithdrawalConnection {
  @Field(() => [Withdrawal], { description: 'The withdrawals of this page, the newest first.' })
  nodes!: readonly Withdrawal[];

  @Field(() => PageInfo, { description: 'Where this page ends.' })
  pageInfo!: PageInfo;
}

// A resolver adds the number of approvals.
@ObjectType({ simpleResolvers: true, description: 'A withdrawal of any company, for operators.' })
export class TransferWithdrawal {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => ID, { description: 'Id of the company that asked for it (UUID).' })
  companyId!: string;

  @Field(() => ID, { description: 'Id of the wallet that it leaves (UUID).' })
  walletId!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => WithdrawalStateEnum, { description: 'Where it stands.' })
  state!: WithdrawalState;

  @Field(() => Withdrawal, { description: 'What its company sees of it.' })
  withdrawal!: Withdrawal;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'In BRL when it was asked for; null where no price was known.',
  })
  valueBrl!: string | null;

  @Field(() => Int, { description: 'How many operators have to approve it.' })
  approvalsNeeded!: number;

  @Field(() => String, { nullable: true, description: 'Who gets it; null where the company did not say.' })
  beneficiaryName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'CPF or CNPJ of who gets it; null where the company did not say.',
  })
  beneficiaryTaxId!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether who gets it holds the keys; null where the company did not say.',
  })
  selfCustody!: boolean | null;

  @Field(() => Int, { description: 'How often custody was asked to send it, or where it is.' })
  attempts!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A page of withdrawals of any company.' })
export class TransferWithdrawalConnection {
  @Field(() => [TransferWithdrawal], { description: 'The withdrawals of this page, the newest first.' })
  nodes!: readonly TransferWithdrawal[];

  @Field(() => PageInfo, { description: 'Where this page ends.' })
  pageInfo!: PageInfo;
}

function toFields(row: WithdrawalRow): Shape<WithdrawalFields> {
  const { currency: asset, amount, fee, address, network, state, createdAt } = row;
  return { asset, amount, fee, address, network, status: publicStatus[state], createdAt };
}

export function toWithdrawalItem(row: WithdrawalRow): Shape<WithdrawalItem> {
  return { withdrawalId: row.id, ...toFields(row) };
}

export function toWithdrawal(row: WithdrawalRow): Shape<Withdrawal> {
  const { id, transaction, failure, sentAt, completedAt } = row;
  return { id, ...toFields(row), transaction, failure, sentAt, completedAt };
}

export function toTransferWithdrawal(row: WithdrawalRow): Shape<TransferWithdrawal> {
  const { id, companyId, walletId, synthetic, state, valueBrl, approvalsNeeded, attempts } = row;
  const { beneficiaryName, beneficiaryTaxId, selfCustody } = row;
  return {
    id,
    companyId,
    walletId,
    synthetic,
    state,
    withdrawal: toWithdrawal(row),
    valueBrl,
    approvalsNeeded,
    beneficiaryName,
    beneficiaryTaxId,
    selfCustody,
    attempts,
  };
}
