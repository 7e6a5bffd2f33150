import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../../shared/subgraph/describe-enum.js';
import { PageInfo } from '../../../../shared/subgraph/page-info.js';
import { DateTimeScalar, DecimalScalar } from '../../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import type { DepositState } from './deposit.js';
import type { DepositRow } from './deposit.store.js';
import type { DepositAddress } from './require-addresses.js';
import type { DepositResolution } from './resolve-deposit.js';

/** The states of a deposit as companies see them. */
export type DepositStatus = 'PENDING' | 'CONFIRMED' | 'REVERSED' | 'QUARANTINED';

const publicStatus: Readonly<Record<DepositState, DepositStatus>> = {
  SEEN: 'PENDING',
  CONFIRMED: 'CONFIRMED',
  REVERSED: 'REVERSED',
  QUARANTINED: 'QUARANTINED',
  // The client keeps the credit.
  WRITTEN_OFF: 'CONFIRMED',
};

export const DepositStatusEnum = describeEnum<DepositStatus>('DepositStatus', 'Where a deposit stands.', {
  PENDING: 'It was seen, and has too few confirmations.',
  CONFIRMED: 'It is credited.',
  REVERSED: 'Its network took it back, and so was the credit, where there was one.',
  QUARANTINED: 'Its network took it back after the funds were used: withdrawals of the wallet wait, in every currency.',
});

export const DepositResolutionEnum = describeEnum<DepositResolution>(
  'DepositResolution',
  'What becomes of a deposit in quarantine.',
  { REVERSED: 'The credit is taken back.', WRITTEN_OFF: 'The house bears it.' },
);

@ObjectType('DepositAddress', { simpleResolvers: true, description: 'Where a wallet takes deposits in on a network.' })
export class DepositAddressType {
  @Field(() => String, { description: 'The network.' })
  network!: string;

  @Field(() => String, {
    description: 'The address: with its checksum, a PIX key, or a bank account as bank/branch/account.',
  })
  address!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What has to stand in the transaction besides; absent where nothing has to.',
  })
  memo!: string | null;

  @Field(() => Int, { description: 'After how many confirmations a deposit is credited.' })
  confirmations!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Where a wallet takes deposits of a currency in.' })
export class DepositAddresses {
  @Field(() => String, { description: 'The currency.' })
  currency!: string;

  @Field(() => [DepositAddressType], { description: 'One address a network, that of the default network first.' })
  addresses!: readonly DepositAddressType[];
}

@ObjectType({ simpleResolvers: true, description: 'A deposit to a wallet.' })
export class Deposit {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The currency.' })
  asset!: string;

  @Field(() => DecimalScalar, { description: 'What is credited, in that currency.' })
  amount!: string;

  @Field(() => String, { description: 'The network that it came by.' })
  network!: string;

  @Field(() => String, { description: 'The address that it was sent to.' })
  address!: string;

  @Field(() => String, { description: 'What the network knows its transaction by.' })
  transaction!: string;

  @Field(() => Int, { description: 'Which output of the transaction it is, from 0.' })
  output!: number;

  @Field(() => Int, { description: 'How many confirmations it had when it was last looked at.' })
  confirmations!: number;

  @Field(() => DepositStatusEnum, { description: 'Where it stands.' })
  status!: DepositStatus;

  @Field(() => DateTimeScalar, { description: 'When it was first seen.' })
  seenAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was credited last; null where it never was.' })
  confirmedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of deposits.' })
export class DepositConnection {
  @Field(() => [Deposit], { description: 'The deposits of this page, the newest first.' })
  nodes!: readonly Deposit[];

  @Field(() => PageInfo, { description: 'Where this page ends.' })
  pageInfo!: PageInfo;
}

@ObjectType({ simpleResolvers: true, description: 'A deposit of any company, for operators.' })
export class TransferDeposit {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => ID, { description: 'Id of the wallet that it came to (UUID).' })
  walletId!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => Deposit, { description: 'What its company sees of it.' })
  deposit!: Deposit;

  @Field(() => String, { nullable: true, description: 'What the operator said who resolved it; null where none did.' })
  resolution!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of deposits of any company.' })
export class TransferDepositConnection {
  @Field(() => [TransferDeposit], { description: 'The deposits of this page, the newest first.' })
  nodes!: readonly TransferDeposit[];

  @Field(() => PageInfo, { description: 'Where this page ends.' })
  pageInfo!: PageInfo;
}

export function toDepositAddresses(currency: string, addresses: readonly DepositAddress[]): Shape<DepositAddresses> {
  return {
    currency,
    addresses: addresses.map(({ network: { name, confirmations }, address, memo }) => ({
      network: name,
      address,
      memo,
      confirmations,
    })),
  };
}

export function toDeposit(row: DepositRow): Shape<Deposit> {
  const { id, currency: asset, credited: amount, network, address, transaction, output, confirmations } = row;
  const { seenAt, confirmedAt } = row;
  const status = publicStatus[row.state];
  return { id, asset, amount, network, address, transaction, output, confirmations, status, seenAt, confirmedAt };
}

export function toTransferDeposit(row: DepositRow): Shape<TransferDeposit> {
  const { id, walletId, synthetic, resolution } = row;
  return { id, walletId, synthetic, deposit: toDeposit(row), resolution };
}
