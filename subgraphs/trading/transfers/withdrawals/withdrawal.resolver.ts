import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  ID,
  Mutation,
  Query,
  Resolver,
  FieldResolver,
  Int,
  Root,
  Directive,
  ObjectType,
} from 'type-graphql';
import { type Context, loaderOf } from '../../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../../shared/graphql/cursor.js';
import { ApiError } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { Access, StepUp } from '../../../../shared/graphql/access.js';
import { FormMutation } from '../../../../shared/graphql/forms.js';
import type { Connection } from '../../../../shared/graphql/connection.js';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { DecimalScalar } from '../../../../shared/graphql/scalars.js';
import { CursorPageArgs } from '../../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { requireWallet, WalletArgs, ofWallet } from '../../profiles/require-wallet.js';
import { readPage, scopeOfWallet } from '../pages.js';
import { withdraw, withdrawalTerms, type WithdrawParts } from './withdrawals.acts.js';
import {
  countWithdrawals,
  findWithdrawal,
  listWithdrawals,
  approvalBarsOf,
  backgroundsOf,
  countApprovals,
  countReturns,
  type ApprovalBar,
  type WithdrawalWait,
  waitsOf,
  limitsOf,
} from './withdrawal.store.js';
import {
  toWithdrawal,
  Withdrawal,
  WithdrawalConnection,
  toTransferWithdrawal,
  TransferWithdrawal,
  TransferWithdrawalConnection,
  WithdrawalBackground,
  WithdrawalStateEnum,
  WithdrawalStatusEnum,
  WithdrawalTerms,
} from './withdrawal.type.js';
import { describeEnum } from '../../../../shared/graphql/describe-enum.js';
import { maxReasonLength } from '../../../../shared/kernel/reason.js';
import {
  approveWithdrawal,
  rejectWithdrawal,
  resolveWithdrawal,
  type WithdrawalOutcome,
  setDailyLimit,
} from './decide-withdrawal.js';
import { withdrawalStatesOf, type WithdrawalState, type WithdrawalStatus } from './withdrawal.js';
import { TradingCompany, type CompanyShape } from '../../access/company.type.js';
import { haveAllowLists } from '../allow-list/allow-list.store.js';
import { args, decimal, fields, nullable, text } from '../../../../shared/graphql/fields.js';

const withdrawals = { list: listWithdrawals, count: countWithdrawals };

@ArgsType()
class WithdrawArgs extends args({
  ...ofWallet,
  asset: text('Code of the currency: `BRL`, `BTC`, `ETH`, `USDT`.', { maxLength: 20 }),
  amount: decimal('Amount that arrives, in that currency, with at most its decimals. The fee is charged in addition.'),
  address: text(
    'Destination: an address with a correct checksum; a PIX key (CPF, CNPJ, e-mail, phone with its country as +5511912345678, random key); a bank account as bank/branch/account.',
    { maxLength: 200 },
  ),
  network: nullable.text(
    'Network: `pix` (default) or `ted` for BRL, `bitcoin` for BTC, `ethereum` for ETH, `ethereum` (default) or `polygon` for USDT.',
    { maxLength: 40 },
  ),
  beneficiaryName: nullable.text(
    "Name of the beneficiary, 1 to 200 characters. Where the platform applies the travel rule, required above a configured amount, and while no price is known, unless the address is on the company's list.",
    { maxLength: 400 },
  ),
  beneficiaryTaxId: nullable.text('CPF or CNPJ of the beneficiary, without punctuation. Required where the name is.', {
    maxLength: 20,
  }),
  selfCustody: nullable.flag('Whether the beneficiary holds the keys of the address. Required where the name is.'),
}) {}

@Resolver(() => Withdrawal)
export class WithdrawalResolver {
  constructor(
    private readonly parts: WithdrawParts,
    private readonly cursors: CursorCodec,
  ) {}

  @Access('trader', 'withdraw')
  @FormMutation()
  @StepUp()
  @Mutation(() => Withdrawal, {
    description:
      'Withdraws funds: amount and fee are held at once, and sent after the required approvals, if any. REST: POST /v1/wallet/withdraw. Errors: 400, code CAAS_ORD_001 for insufficient funds; 401 CAAS_AUTH_001; 403 without the scope `withdraw`, and for a suspended company or profile; 404 for a profile that does not belong to the company; 409 while a deposit of the wallet is in quarantine; 422 for an invalid address, one from which nothing comes back or which is a deposit address of the platform, an amount below the minimum or above a limit, and missing data for the travel rule; 503 while the currency is halted, and when no custody of real funds is connected.',
  })
  async withdraw(
    @Ctx() context: Context,
    @Args(() => WithdrawArgs) { profileId, synthetic, ...request }: WithdrawArgs,
  ): Promise<Shape<Withdrawal>> {
    return toWithdrawal(await withdraw(context, this.parts, { profileId, synthetic }, request));
  }

  @Access('trader', 'read')
  @Query(() => WithdrawalConnection, {
    description:
      'The withdrawals of a wallet, newest first. REST: GET /v1/transfers/fetchWithdrawals. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async withdrawals(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
    @Args(() => WalletArgs) which: WalletArgs,
    @Arg('status', () => WithdrawalStatusEnum, {
      nullable: true,
      description: 'Only withdrawals with this status; all when omitted.',
    })
    status: WithdrawalStatus | null | undefined,
  ): Promise<Connection<Shape<Withdrawal>>> {
    const { id: walletId } = await requireWallet(context, which);
    const query = { walletId, states: withdrawalStatesOf(status) };
    const request = { query, scope: scopeOfWallet(walletId, status), page: wanted };
    return readPage(context, this.cursors, request, withdrawals, toWithdrawal);
  }

  @Access('trader', 'read')
  @Query(() => Withdrawal, {
    nullable: true,
    description:
      'A withdrawal of a wallet; null when it does not exist. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async withdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id (UUID).' }) id: string,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Shape<Withdrawal> | null> {
    const { id: walletId } = await requireWallet(context, which);
    const row = isUuid(id) ? await findWithdrawal(context, walletId, id) : undefined;
    return row === undefined ? null : toWithdrawal(row);
  }

  @FieldResolver(() => Int, { description: 'Number of operators of the platform who have approved it.' })
  approvals(@Ctx() context: Context, @Root() { id }: Shape<Withdrawal>): Promise<number> {
    return loaderOf(context, countApprovals).load(id);
  }

  @Access('trader', 'read')
  @Query(() => WithdrawalTerms, {
    description:
      'Fees, minimums and what is left of the limits for withdrawals of a currency. Errors: 400 for a currency that cannot be withdrawn; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async withdrawalTerms(
    @Ctx() context: Context,
    @AtMost({ maxLength: 20 })
    @Arg('currency', () => String, { description: 'Code of the currency: `BRL`, `BTC`, `ETH`, `USDT`.' })
    currency: string,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Shape<WithdrawalTerms>> {
    return withdrawalTerms(context, this.parts.rules, await requireWallet(context, which), currency);
  }
}

const WithdrawalOutcomeEnum = describeEnum<WithdrawalOutcome>(
  'WithdrawalOutcome',
  'Outcome of a withdrawal that is QUARANTINED or UNCONFIRMED; RETURNED also of one that is COMPLETED.',
  {
    SENT: 'It was sent, and waits for its confirmations.',
    CONFIRMED: 'It was sent and has arrived, regardless of the reports of custody: its funds are spent.',
    RETURNED:
      'It was sent and returned, or came back after it had arrived: its funds are available again, with the fee. Of one that is COMPLETED a second operator must say the same, or custody.',
    FAILED: 'It was not sent and never will be: its funds are available again.',
  },
);

const ApprovalBarEnum = describeEnum<ApprovalBar>(
  'WithdrawalApprovalBar',
  'Why the calling operator may not approve a withdrawal, though other operators may.',
  {
    ALREADY_APPROVED: 'The operator has approved it.',
    ISSUED_CREDENTIAL: 'The operator issued the credential that requested it, and has therefore seen its secret.',
    OWN_WALLET: "The operator's e-mail is that of the account to which the company is linked, or of the profile.",
    ISSUED_KEY:
      "The operator issued a key of another approver, or the operator's own key was issued by another approver or by the issuer of the credential.",
  },
  {
    ALREADY_APPROVED: ['Você já aprovou', 'You have approved it'],
    ISSUED_CREDENTIAL: ['Você emitiu a credencial', 'You issued the credential'],
    OWN_WALLET: ['A carteira é sua', 'The wallet is yours'],
    ISSUED_KEY: ['Chave emitida por outro aprovador', 'Key issued by another approver'],
  },
);

const WithdrawalWaitEnum = describeEnum<WithdrawalWait>(
  'WithdrawalWait',
  'What keeps a withdrawal from being sent.',
  {
    QUARANTINE: 'A deposit of its wallet is in quarantine.',
    HALT: 'Its currency is halted.',
    SUSPENSION: 'Its company or profile is suspended.',
    ADDRESS: "Its address is not on the company's list, or not usable yet.",
  },
  {
    QUARANTINE: ['Depósito em quarentena', 'Deposit in quarantine'],
    HALT: ['Moeda suspensa', 'Currency halted'],
    SUSPENSION: ['Empresa ou perfil suspenso', 'Company or profile suspended'],
    ADDRESS: ['Destino fora da lista', 'Destination not on the list'],
  },
);

const idText = 'Id of the withdrawal (UUID).';
const reasonText = 'Reason, 1 to 500 characters on one line. The company sees it if the withdrawal fails.';
const operatorOnly = '401 and 403 without the role `trade`';

@Resolver(() => TransferWithdrawal)
export class TransferOperatorResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @Access('operator', 'read')
  @Query(() => TransferWithdrawalConnection, {
    description:
      'Withdrawals of all companies, newest first. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 401 and 403 for callers who are not operators; 404 for a company whose id is no UUID.',
  })
  transferWithdrawals(
    @Ctx() context: Context,
    @Arg('state', () => WithdrawalStateEnum, {
      nullable: true,
      description: 'Only withdrawals in this state; all when omitted.',
    })
    state: WithdrawalState | null | undefined,
    @Arg('companyId', () => ID, { nullable: true, description: 'Only those of this company (UUID); all when omitted.' })
    companyId: string | null | undefined,
    @Arg('returnReported', () => Boolean, {
      defaultValue: false,
      description: 'Only COMPLETED ones that an operator has said to have come back.',
    })
    returnReported: boolean,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<Shape<TransferWithdrawal>>> {
    if (companyId != null && !isUuid(companyId)) throw new ApiError('NOT_FOUND');
    const query = {
      walletId: null,
      states: state == null ? null : [state],
      companyId: companyId ?? null,
      returnReported,
    };
    const request = { query, scope: `operator/${JSON.stringify(query)}`, page: wanted };
    return readPage(context, this.cursors, request, withdrawals, toTransferWithdrawal);
  }

  @FieldResolver(() => Int, {
    description: 'Number of operators who have approved it, without those who lost the role since.',
  })
  approvals(@Ctx() context: Context, @Root() { id }: Shape<TransferWithdrawal>): Promise<number> {
    return loaderOf(context, countApprovals).load(id);
  }

  @FieldResolver(() => WithdrawalWaitEnum, {
    nullable: true,
    description: 'What keeps it from being sent, besides approvals; null where nothing does, and once it was sent.',
  })
  waitsFor(@Ctx() context: Context, @Root() { id }: Shape<TransferWithdrawal>): Promise<WithdrawalWait | null> {
    return loaderOf(context, waitsOf).load(id);
  }

  @FieldResolver(() => Int, {
    description: 'Number of operators who have said that it came back after it had arrived: 2, or custody, are needed.',
  })
  returnReports(@Ctx() context: Context, @Root() { id }: Shape<TransferWithdrawal>): Promise<number> {
    return loaderOf(context, countReturns).load(id);
  }

  @FieldResolver(() => WithdrawalBackground, {
    description: 'Whose it is, and how it compares with what the company withdrew before.',
  })
  background(@Ctx() context: Context, @Root() { id }: Shape<TransferWithdrawal>): Promise<Shape<WithdrawalBackground>> {
    return loaderOf(context, backgroundsOf).load(id);
  }

  @FieldResolver(() => ApprovalBarEnum, {
    nullable: true,
    description:
      'Why the calling operator may not approve it, though other operators may; null where only its state can prevent that.',
  })
  approvalBar(@Ctx() context: Context, @Root() { id }: Shape<TransferWithdrawal>): Promise<ApprovalBar | null> {
    return loaderOf(context, approvalBarsOf).load(id);
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Withdrawal, {
    description: `Approves a withdrawal. It is sent after the last required approval; each must be by another operator. Errors: ${operatorOnly}, and 403 for operators without a key of their own, for the operator who issued the credential that requested it, for one whose e-mail is that of the company's account or of the profile, and for one who issued the key of another approver or has a key that another approver or the issuer of the credential issued; 404; 409 for a withdrawal that does not wait for approval, for an operator who already approved it, while its company or profile is suspended, above a limit of 24 hours that was lowered since, and for an address that is not in the company's list, or not usable yet.`,
  })
  async approveWithdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<Shape<Withdrawal>> {
    return toWithdrawal(await approveWithdrawal(context, id));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Withdrawal, {
    description: `Rejects a withdrawal that was not sent: its funds are available again. Errors: 400; ${operatorOnly}; 404; 409 for a withdrawal that is being sent, was sent, or has ended.`,
  })
  async rejectWithdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @AtMost({ maxLength: maxReasonLength }) @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<Shape<Withdrawal>> {
    return toWithdrawal(await rejectWithdrawal(context, id, reason));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Withdrawal, {
    description: `Resolves a withdrawal in quarantine, whose outcome custody did not report, or which custody does not know, or one that came back after it had arrived, which stays COMPLETED until a second operator says so or custody reports it. Errors: 400, also for SENT and CONFIRMED without a transaction; ${operatorOnly}, and 403 with RETURNED and FAILED for the operator who issued the credential that requested it, of one that is COMPLETED also as for \`approveWithdrawal\`; 404; 409 for a withdrawal that is not in quarantine, for outcomes other than RETURNED of one that is COMPLETED, and for an operator who has already said so.`,
  })
  async resolveWithdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('outcome', () => WithdrawalOutcomeEnum, { description: 'Outcome at the venue.' }) outcome: WithdrawalOutcome,
    @AtMost({ maxLength: maxReasonLength }) @Arg('reason', () => String, { description: reasonText }) reason: string,
    @AtMost({ maxLength: 200 })
    @Arg('transaction', () => String, {
      nullable: true,
      description:
        'Id of the transaction that sent it, 1 to 200 characters: required with SENT and CONFIRMED unless it is already known.',
    })
    transaction: string | null | undefined,
  ): Promise<Shape<Withdrawal>> {
    const given = transaction?.trim() ?? '';
    const resolution = { outcome, transaction: given === '' ? undefined : given };
    return toWithdrawal(await resolveWithdrawal(context, id, resolution, reason));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Boolean, {
    description: `Sets the maximum amount of a currency that a company and its profiles may withdraw in 24 hours; null removes the limit. Errors: 400; ${operatorOnly}; 404.`,
  })
  async setWithdrawalLimit(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company (UUID).' }) companyId: string,
    @AtMost({ maxLength: 20 })
    @Arg('currency', () => String, { description: 'Code of the currency.' })
    currency: string,
    @Arg('daily', () => DecimalScalar, { nullable: true, description: 'Limit, in that currency; null for none.' })
    daily: string | null | undefined,
  ): Promise<boolean> {
    await setDailyLimit(context, { companyId, currency, daily: daily ?? null });
    return true;
  }
}

@ObjectType({ simpleResolvers: true, description: 'The limit of a company for withdrawals of a currency.' })
class WithdrawalLimit extends fields({
  currency: text('Code of the currency.'),
  daily: decimal('Maximum amount that the company and its profiles may withdraw in 24 hours, in that currency.'),
}) {}

@Resolver(() => TradingCompany)
export class CompanyWithdrawalsResolver {
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [WithdrawalLimit], {
    description:
      'Its limits for withdrawals in 24 hours, sorted by currency; a currency that is absent has none (`setWithdrawalLimit`).',
  })
  withdrawalLimits(@Root() { id }: CompanyShape, @Ctx() context: Context): Promise<Shape<WithdrawalLimit>[]> {
    return loaderOf(context, limitsOf).load(id);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it may withdraw only to addresses of its list (`requireWithdrawalList`).',
  })
  requiresWithdrawalList(@Root() { id }: CompanyShape, @Ctx() context: Context): Promise<boolean> {
    return loaderOf(context, haveAllowLists).load(id);
  }
}
