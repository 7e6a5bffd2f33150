import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  FieldResolver,
  ID,
  InputType,
  Query,
  Resolver,
  Root,
  Int,
  Mutation,
} from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { DayCountEnum, type DayCount } from '../../securities/day-count.js';
import { mostInstallments, renegotiateAsset, revertAssetRenegotiation } from '../assignments/renegotiate-asset.js';
import { CacheResponse, type Stamp } from '../../../shared/graphql/response-cache.js';
import { toConnection, type Connection, type CountAll } from '../../../shared/graphql/connection.js';
import {
  connectionType,
  ofPage,
  CursorPageArgs,
  NumberedPageArgs,
  PageSize,
} from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { connectionPage, numberKey, pageOfList, type ListPage } from '../../../shared/graphql/list-page.js';
import { estateOf, figuresOf, patrimoniesById, type PatrimonyRow } from '../patrimonies/patrimony.store.js';
import { Patrimony } from '../patrimonies/patrimony.type.js';
import { AssetConnection, AssetFilter, Asset, AssetPayment, type AssetShape } from './asset.type.js';
import { assetQuery } from './asset-query.js';
import { assetsById, installmentsOf, type AssetRow, type InstallmentRow } from './asset.store.js';
import { debtorNameFor, mayKnow } from './debtor-name.js';
import { originatorTextFor } from './tax-ids-in-text.js';
import { maskDocument } from '../../../shared/kernel/tax-id.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { pageAssets, pageAssetsOf, recordAssetPayment, reverseAssetPayment, writeOffAsset } from './assets.acts.js';
import type { ReadAssets } from './read-assets.js';
import { readStamp } from '../revision/revision.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { args, day, decimal, id, inputs, int, nullable, text } from '../../../shared/graphql/fields.js';

/** A search is cached by itself, and may be five minutes old: nothing that is made of it is cached for longer. */
const publishedAssets: Stamp = async (context, { filter }) => {
  const searched = isRecord(filter) ? filter['search'] : undefined;
  return searched == null ? readStamp(context) : undefined;
};

const historyPage = { usual: 200, most: 1200 } as const;

@ArgsType()
class PaymentHistoryArgs extends args(ofPage(historyPage)) {}

const AssetPaymentConnection = connectionType(AssetPayment, {
  name: 'AssetPayment',
  nodes: 'instalments',
  order: 'by number',
});

@Resolver(() => Asset)
export class AssetResolver {
  constructor(
    readonly read: ReadAssets,
    readonly codec: CursorCodec,
  ) {}

  @Access('anyone')
  @CacheResponse(publishedAssets)
  @AsOf()
  @Query(() => AssetConnection, {
    description:
      'Assets of all estates in the order of their registration, in pages. REST: GET /public/assets. Of a search `totalCount` counts up to 100,000, and a number above 1,000 is five minutes old at most; cursors lead to all that it finds. Errors: 400 for arguments that are out of bounds, an invalid filter and an invalid cursor.',
  })
  async assets(
    @Ctx() context: Context,
    @Arg('filter', () => AssetFilter, { nullable: true, description: 'Restricts the list; all assets when omitted' })
    filter: AssetFilter | null | undefined,
    @Args(() => NumberedPageArgs) wanted: NumberedPageArgs,
  ): Promise<Listing> {
    const query = assetQuery(filter ?? {});
    const { total, ...page } = await pageAssets(context, this, query, wanted);
    return toListing(context, query.patrimonyId, page, () => total);
  }

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => Asset, {
    nullable: true,
    description: 'An asset; null when it does not exist. REST: GET /public/assets/{id}.',
  })
  async asset(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the asset (UUID)' }) id: string,
  ): Promise<AssetShape | null> {
    const row = isUuid(id) ? await loaderOf(context, assetsById).load(id.toLowerCase()) : undefined;
    return row === undefined ? null : showAsset(context, row);
  }

  @FieldResolver(() => Patrimony, { description: 'The estate to which it belongs' })
  async patrimony(@Ctx() context: Context, @Root() { patrimonyId }: AssetShape): Promise<PatrimonyRow> {
    return estateOf(context, patrimonyId);
  }

  @FieldResolver(() => String, { description: 'Name of its estate' })
  async patrimonyName(@Ctx() context: Context, @Root() { patrimonyId }: AssetShape): Promise<string> {
    return (await estateOf(context, patrimonyId)).name;
  }

  @AsOf()
  @PageSize(historyPage)
  @FieldResolver(() => AssetPaymentConnection, {
    description: 'Its instalments, paid and pending, by number; at most 1,200',
  })
  async paymentHistory(
    @Ctx() context: Context,
    @Root() { id }: AssetShape,
    @Args(() => PaymentHistoryArgs) wanted: PaymentHistoryArgs,
  ): Promise<Connection<Shape<AssetPayment>>> {
    const rows = await loaderOf(context, installmentsOf).load(id);
    const page = pageOfList(this.codec, rows, connectionPage(wanted), {
      ...historyPage,
      scope: JSON.stringify(['paymentHistory', id]),
      keys: [{ of: ({ installmentNumber }) => numberKey(installmentNumber) }],
    });
    const day = today(context);
    return toConnection(
      page,
      (row) => toAssetPayment(row, day),
      () => rows.length,
    );
  }
}

type Listing = Connection<AssetShape> & { readonly patrimonyId: string | null };

/** Returns a page of assets as the caller may see them; present rows of all of them are loaded together. */
async function toListing(
  context: Context,
  patrimonyId: string | null,
  page: ListPage<AssetRow>,
  countAll: CountAll,
): Promise<Listing> {
  const rows = await Promise.all(page.rows.map((row) => showAsset(context, row)));
  const connection = toConnection({ ...page, rows }, (shown) => shown, countAll);
  return Object.assign(connection, { patrimonyId });
}

@Resolver(() => Patrimony)
export class PatrimonyAssetsResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @FieldResolver(() => AssetConnection, {
    description:
      'Its assets, in the order of their registration. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async assets(
    @Ctx() context: Context,
    @Root() { id }: PatrimonyRow,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Listing> {
    const page = await pageAssetsOf(context, this.codec, id, wanted);
    return toListing(context, id, page, async () => (await loaderOf(context, figuresOf).load(id)).assetCount);
  }
}

export const assetReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string' || !isUuid(id)) return null;
    const row = await loaderOf(context, assetsById).load(id.toLowerCase());
    return row === undefined ? null : showAsset(context, row);
  },
};

const renegotiationReason = 'Reason, 1 to 500 characters on one line';

@ArgsType()
class AssetReversalArgs extends args({
  assetId: id('Id of the asset'),
  installmentNumber: int('Number of the instalment'),
  reason: text('Reason, 1 to 500 characters on one line; it is published with the correction'),
  paidAmount: nullable.decimal(
    'Amount paid and abated of the instalment together, in BRL, as the asset shows them; required when it is less than the whole amount, so that two concurrent reversals reverse a payment only once',
  ),
  amount: nullable.decimal(
    'How much is reversed, in BRL, of payments that a settlement batch brought together: their newest lines first; all of them when it is omitted',
  ),
}) {}

@Resolver()
export class AssetMutationsResolver {
  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Records that a debtor paid the open amount of an instalment. Balance, receipts and status are updated; a change of status is announced as `contract.status_changed`. Repeating the call for the same payment returns the same result. Errors: 404 for an instalment that does not exist; 409 for one that was paid on another day, and for an asset that is settled or written off; 422 for a day in the future.',
  })
  async recordAssetPayment(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('paidOn', () => DateScalar, { description: 'Day of the payment' }) paidOn: string,
  ): Promise<AssetShape> {
    return showAsset(context, await recordAssetPayment(context, assetId, installmentNumber, paidOn));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Reverses a payment of a debtor that an operator recorded, an import brought or a settlement batch of an originator reported: instalment, balance, receipts and status return to their earlier values, and the payment remains in the history with the reason; a change of status is announced as `contract.status_changed`. The receivable of an assigned credit is restored too, its payment is marked `reversed`, and `settlementBatchUpdated` informs its originator. Payments that operators recorded are reversed from the last one backwards; payments that were received together are reversed together, or up to an `amount`. Errors: 400 for an empty reason; 404 for an instalment that does not exist; 409 for one that is not paid, or of which another amount than `paidAmount` was paid and abated; 422 when a later payment has to be reversed first, and for an `amount` that no batch brought.',
  })
  async reverseAssetPayment(
    @Ctx() context: Context,
    @Args(() => AssetReversalArgs) { paidAmount = null, amount = null, ...reversed }: AssetReversalArgs,
  ): Promise<AssetShape> {
    return showAsset(context, await reverseAssetPayment(context, { ...reversed, paidAmount, amount }));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Writes an asset off as unrecoverable. This cannot be undone; its balance remains on record. Announced as `contract.status_changed`. Repeating the call changes nothing. The originator of an assigned credit may then assign its external id again, in a new batch. Errors: 404 for an asset that does not exist; 409 for one that is settled.',
  })
  async writeOffAsset(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
  ): Promise<AssetShape> {
    return showAsset(context, await writeOffAsset(context, assetId));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Replaces everything that is open of an asset that an originator assigned by a new schedule. What was paid stays; an instalment that is paid in part ends with that part. Balance, lateness and receivable follow the new schedule; the replaced one is kept (`Receivable.renegotiations`). Errors: 400; 404; 409 for an imported asset, for one that is settled or written off, and while payments of it are on their way; 422 for due dates that do not rise from today.',
  })
  async renegotiateAsset(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @AtMost({ maxItems: mostInstallments })
    @Arg('installments', () => [RenegotiatedInstallmentInput], {
      description: `The new instalments, 1 to ${mostInstallments}, in the order of their due dates`,
    })
    installments: RenegotiatedInstallmentInput[],
    @Arg('reason', () => String, { description: renegotiationReason }) reason: string,
    @Arg('interestRate', () => DecimalScalar, {
      nullable: true,
      description: 'New interest rate in percent a year, at most 8 decimals; unchanged when it is omitted',
    })
    interestRate?: string | null,
    @Arg('dayCount', () => DayCountEnum, { nullable: true, description: 'Its day count, required with it' })
    dayCount?: DayCount | null,
  ): Promise<AssetShape> {
    const wish = { assetId, installments, interestRate, dayCount, reason };
    return showAsset(context, await renegotiateAsset(context, wish));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Reverts the last renegotiation of an asset: the schedule before it is in force again. Errors: 400 for an empty reason; 404; 409 when it is not the last that stands, payments were received under it, or are on their way.',
  })
  async revertAssetRenegotiation(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @Arg('renegotiationId', () => ID, { description: 'Id of the renegotiation, as in `Receivable.renegotiations`' })
    renegotiationId: string,
    @Arg('reason', () => String, { description: renegotiationReason }) reason: string,
  ): Promise<AssetShape> {
    return showAsset(context, await revertAssetRenegotiation(context, { assetId, renegotiationId, reason }));
  }
}

@InputType({ description: 'An instalment of a renegotiated schedule.' })
class RenegotiatedInstallmentInput extends inputs({
  dueDate: day('Due date, after today and after the instalment before'),
  principal: decimal('Principal, in BRL with at most 2 decimals'),
  interest: decimal('Interest, in BRL with at most 2 decimals'),
}) {}

@Resolver(() => AssetConnection)
export class AssetConnectionResolver {
  @FieldResolver(() => Patrimony, {
    nullable: true,
    description:
      'The estate that the list is restricted to; null for a list of all estates. Errors: 404 when it does not exist.',
  })
  async patrimony(@Ctx() context: Context, @Root() { patrimonyId }: Listing): Promise<PatrimonyRow | null> {
    if (patrimonyId === null) return null;
    const estate = await loaderOf(context, patrimoniesById).load(patrimonyId);
    return requireFound(estate, 'There is no such estate');
  }
}

/** Shows an asset as the caller may see it. @param context the context in which the row was read */
async function showAsset(context: Context, row: AssetRow): Promise<AssetShape> {
  const { present, principal } = context;
  // The past is read before the present: a correction that is recorded between the two already hides the name.
  const current = present === undefined ? row : await loaderOf(present, assetsById).load(row.id);
  const textOf = (value: string) => originatorTextFor(principal, value, row, current);
  return {
    ...row,
    externalId: textOf(row.externalId),
    debtorName: textOf(debtorNameFor(principal, row, current)),
    debtorDocument: maskDocument(row.debtorDocument),
    purchasePrice: mayKnow(principal, row.originatorId) ? row.purchasePrice : null,
    interestRate: percentageText(row.interestRate),
    batchName: row.batchName === null ? null : textOf(row.batchName),
  };
}

/** @param today civil date in São Paulo */
function toAssetPayment(row: InstallmentRow, today: string): Shape<AssetPayment> {
  const paidAmount = new Decimal(row.paidAmount).minus(row.abatedAmount).toFixed(2);
  return { ...row, paidAmount, status: row.status === 'PENDING' && row.dueDate < today ? 'OVERDUE' : row.status };
}
