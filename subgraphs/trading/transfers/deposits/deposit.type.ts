import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../../shared/graphql/describe-enum.js';
import { connectionType } from '../../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { formatAmount } from '../../format-amount.js';
import { depositStates, keptOf, type DepositState } from './deposit.js';
import type { DepositRow } from './deposit.store.js';
import type { DepositResolution, DepositAddress } from './deposits.acts.js';
import { decimal, fields, flag, id, int, list, nullable, of, text, time } from '../../../../shared/graphql/fields.js';

export type DepositStatus = 'PENDING' | 'CONFIRMED' | 'REVERSED' | 'QUARANTINED';

const publicStatus: Readonly<Record<DepositState, DepositStatus>> = {
  SEEN: 'PENDING',
  CONFIRMED: 'CONFIRMED',
  REVERSED: 'REVERSED',
  QUARANTINED: 'QUARANTINED',
  // The client owes nothing of it now.
  WRITTEN_OFF: 'REVERSED',
};

/** Returns the states that companies see as one status; null where none is given. */
export const depositStatesOf = (status: DepositStatus | null | undefined): readonly DepositState[] | null =>
  status == null ? null : depositStates.filter((state) => publicStatus[state] === status);

export const DepositStatusEnum = describeEnum<DepositStatus>(
  'DepositStatus',
  'Status of a deposit.',
  {
    PENDING: 'It was detected, and has too few confirmations.',
    CONFIRMED: 'It was credited.',
    REVERSED:
      'Its network reversed it, and the credit, if any, was reversed too; where the funds had been used, the platform may bear what was missing.',
    QUARANTINED:
      'Its network reversed it after the funds were used: what was left of them was taken back, and the wallet cannot withdraw any currency until the rest is resolved.',
  },
  {
    PENDING: ['Pendente', 'Pending'],
    CONFIRMED: ['Confirmado', 'Confirmed'],
    REVERSED: ['Revertido', 'Reversed'],
    QUARANTINED: ['Em quarentena', 'Quarantined'],
  },
);

export const DepositResolutionEnum = describeEnum<DepositResolution>(
  'DepositResolution',
  'Decision about a deposit in quarantine.',
  {
    REVERSED: 'The rest of the credit is taken back from the client.',
    WRITTEN_OFF: 'As much of the rest as the client has is taken back, and the platform bears what is missing.',
  },
);

@ObjectType('DepositAddress', { simpleResolvers: true, description: 'Deposit address of a wallet on a network.' })
export class DepositAddressType extends fields({
  network: text('The network.'),
  address: text('Address: with its checksum, a PIX key, or a bank account as bank/branch/account.'),
  memo: nullable.text('Memo that the transaction must contain; absent when none is needed.'),
  confirmations: int('Number of confirmations after which a deposit is credited.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Deposit addresses of a wallet for a currency.' })
export class DepositAddresses extends fields({
  currency: text('Code of the currency.'),
  addresses: list(() => DepositAddressType, 'One address per network, that of the default network first.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A deposit to a wallet.' })
export class Deposit extends fields({
  id: id('Id (UUID).'),
  asset: text('Code of the currency.'),
  amount: decimal('Credited amount, in that currency and with its decimals.'),
  network: text('Network of the deposit.'),
  address: text('Address to which it was sent.'),
  transaction: text('Id of the transaction on its network.'),
  output: int('Index of the output of the transaction, from 0.'),
  confirmations: int('Number of confirmations at the last check.'),
  status: of(() => DepositStatusEnum, 'Status.'),
  seenAt: time('Time at which it was first detected.'),
  confirmedAt: nullable.time('Time at which it was last credited; null if it never was.'),
  missing: nullable.decimal(
    'Part of the credited amount that could not be taken back, and is owed; null unless it is in quarantine.',
  ),
  quarantinedAt: nullable.time('Time since which it is in quarantine; null unless it is.'),
}) {}

export const DepositConnection = connectionType(Deposit, {
  name: 'Deposit',
  nodes: 'deposits',
  order: 'newest first',
  documented: 'token',
});

@ObjectType({ simpleResolvers: true, description: 'Who owns a wallet.' })
export class DepositOwner extends fields({
  companyId: id('Id of the company (UUID).'),
  companyName: text('Name of the company.'),
  profileName: nullable.text("Name of the profile; null for the company's own wallet."),
}) {}

// A resolver adds the owner of the wallet.
@ObjectType({ simpleResolvers: true, description: 'A deposit of any company, for operators.' })
export class TransferDeposit extends fields({
  id: id('Id (UUID).'),
  walletId: id('Id of the wallet that received it (UUID).'),
  synthetic: flag('Whether it is synthetic.'),
  deposit: of(() => Deposit, 'As its company sees it.'),
  missing: nullable.decimal(
    'Part of the credited amount that could not be taken back: the client owes it while the deposit is in quarantine, the platform bears it once it is written off; null for other deposits.',
  ),
  resolution: nullable.text('Reason of the operator who resolved it; null unless it was resolved.'),
}) {}

export const TransferDepositConnection = connectionType(TransferDeposit, {
  name: 'TransferDeposit',
  nodes: 'deposits of any company',
  order: 'newest first',
});

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
  const { currency: asset } = row;
  const amount = formatAmount(row.credited, row.decimals);
  const status = publicStatus[row.state];
  const missing = status === 'QUARANTINED' ? missingOf(row) : null;
  return { ...row, asset, amount, status, missing };
}

const missingOf = (row: DepositRow) => formatAmount(keptOf(row), row.decimals);

export function toTransferDeposit(row: DepositRow): Shape<TransferDeposit> {
  const { id, walletId, synthetic, state, resolution } = row;
  const missing = state === 'QUARANTINED' || state === 'WRITTEN_OFF' ? missingOf(row) : null;
  return { id, walletId, synthetic, deposit: toDeposit(row), missing, resolution };
}
