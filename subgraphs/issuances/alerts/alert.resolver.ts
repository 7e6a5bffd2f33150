import { Args, Ctx, Directive, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, pageOfList } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { namedOperations } from '../operations/named-operations.js';
import { Operation } from '../operations/operation.type.js';
import { placeKeys, type AlertKind } from './alert.js';
import { AlertArgs, AlertKindEnum, AlertTotals, OperationAlertConnection, type AlertShape } from './alert.type.js';
import { addUpAlerts, type ReadAlerts } from './read-alerts.js';

interface Listing extends Connection<AlertShape> {
  readonly alerts: readonly AlertShape[];
  readonly unknown: readonly string[];
}

@Resolver(() => OperationAlertConnection)
export class AlertResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly read: ReadAlerts,
  ) {}

  @Access('data')
  @AsOf()
  @Query(() => OperationAlertConnection, {
    description:
      'What is overdue or breached in public operations: covenants of the live report, payments to the holders and obligations of the debtors, at most 5,000 of the last two each. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async operationAlerts(
    @Ctx() context: Context,
    @Args(() => AlertArgs) { tickers, kinds, ...wanted }: AlertArgs,
  ): Promise<Listing> {
    const named = tickers == null || tickers.length === 0 ? undefined : await namedOperations(context, tickers, 100);
    const ids = named && new Set(named.operations.map(({ id }) => id));
    const kept = kinds == null || kinds.length === 0 ? undefined : new Set(kinds);
    const scope = JSON.stringify([ids && [...ids].sort(), kept && [...kept].sort()]);
    const alerts = (await this.read(context)).filter(
      ({ operationId, kind }) => (ids?.has(operationId) ?? true) && (kept?.has(kind) ?? true),
    );
    const page = pageOfList(this.codec, alerts, connectionPage(wanted), { scope, keys: placeKeys });
    const connection = toConnection(
      page,
      (alert) => alert,
      () => alerts.length,
    );
    return Object.assign(connection, { alerts, unknown: named?.unknownTickers ?? [] });
  }

  @FieldResolver(() => AlertTotals, { description: 'Totals of the alerts on all pages' })
  totals(@Root() { alerts }: Listing): Shape<AlertTotals> {
    return addUpAlerts(alerts);
  }

  @FieldResolver(() => [String], { description: 'Those of the requested tickers that no public operation has' })
  unknownTickers(@Root() { unknown }: Listing): readonly string[] {
    return unknown;
  }
}

@Resolver(() => Operation)
export class OperationAlertsResolver {
  constructor(private readonly read: ReadAlerts) {}

  @AsOf()
  @Directive('@listSize(assumedSize: 2)')
  @FieldResolver(() => [AlertKindEnum], {
    description: 'What is overdue or breached: the kinds of its `operationAlerts`',
  })
  async alertKinds(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<AlertKind[]> {
    return loaderOf(context, this.kindsOf).load(id);
  }

  private readonly kindsOf = async (context: Context, ids: readonly string[]): Promise<AlertKind[][]> => {
    const alerts = groupBy(await this.read(context), ({ operationId }) => operationId);
    return ids.map((id) => [...new Set(alerts.get(id)?.map(({ kind }) => kind))]);
  };
}
