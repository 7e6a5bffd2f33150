import { loadCalendar } from '../../shared/kernel/calendar/calendar.js';
import type { Config } from '../../shared/kernel/config.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { createEventFeed } from '../../shared/events/outbox/event-feed.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';
import { AlertResolver, OperationAlertsResolver } from './alerts/alert.resolver.js';
import { createAlertReader } from './alerts/read-alerts.js';
import { CardResolver } from './cards/card.resolver.js';
import { createCursorCodec } from '../../shared/graphql/cursor.js';
import type { Database } from '../../shared/database/database.js';
import { once } from '../../shared/memo.js';
import { DetailPeriodResolver, PricingPeriodResolver, DetailResolver } from './detail/detail.resolver.js';
import { InventoryResolver } from './inventory/inventory.resolver.js';
import { createInventoryReader } from './inventory/read-inventory.js';
import { PartsResolver } from './parts/parts.resolver.js';
import { OnchainResolver, PublicContractResolver } from './onchain/onchain.resolver.js';
import { PricingResolver } from './engine/pricing.resolver.js';
import { takeBooks, takeProjections } from './engine/take-books.js';
import { takeCredits } from './engine/take-credits.js';
import { takeChainNews } from './onchain/take-chain-news.js';
import { OperationResolver, operationReference, ComparisonResolver } from './operations/operation.resolver.js';
import { keepEstateSlugs } from './operations/estate-slugs.js';
import { OperationPaymentResolver, PaymentResolver } from './payments/payment.resolver.js';
import { createLiveReports } from './reports/live-reports.js';
import { createMonthReports } from './reports/month-reports.js';
import { PortfolioReportResolver, ReportResolver, ReportMutationsResolver } from './reports/report.resolver.js';
import {
  SeriesListResolver,
  OperationSeriesResolver,
  SeriesResolver,
  seriesReference,
} from './series/series.resolver.js';
import { SeriesReturnResolver } from './unit-prices/return.resolver.js';
import { PriceProvenanceResolver, UnitPriceResolver } from './unit-prices/unit-price.resolver.js';
import { updateTopic } from './updates/operation-update.js';
import { operationUpdateResolver } from './updates/operation-update.resolver.js';

export interface IssuancesParts {
  readonly config: Pick<Config, 'inventoryMaxContracts'>;
  readonly keyRing: KeyRing;
  readonly dataSource: Pick<Database, 'manager'>;
}

/** Wires the issuances domain. Reads nothing from the database before it is needed. */
export function createIssuances({ config, keyRing, dataSource }: IssuancesParts): Promise<Subgraph> {
  const operationCursors = createCursorCodec(keyRing, 'operations');
  const partCursors = createCursorCodec(keyRing, 'operation-parts');
  const calendar = once(() => loadCalendar(dataSource.manager));
  const liveReports = createLiveReports(calendar);
  const alerts = createAlertReader(liveReports, calendar);
  const readers = { liveReports, monthReports: createMonthReports(calendar) };
  const { schema, sdl } = buildSubgraph({
    name: 'issuances',
    resolvers: [
      new CardResolver(operationCursors),
      new DetailResolver(calendar),
      new DetailPeriodResolver(createCursorCodec(keyRing, 'detail-payments')),
      new PricingPeriodResolver(),
      new ReportResolver(readers),
      new ReportMutationsResolver(),
      new InventoryResolver(
        createInventoryReader({ keyRing, liveReports, maxContracts: config.inventoryMaxContracts }),
      ),
      new OperationResolver(operationCursors, alerts),
      new PartsResolver(partCursors),
      new OperationSeriesResolver(),
      new SeriesResolver(),
      new SeriesListResolver(createCursorCodec(keyRing, 'series')),
      new UnitPriceResolver(createCursorCodec(keyRing, 'price-history'), calendar),
      new PriceProvenanceResolver(),
      new SeriesReturnResolver(calendar),
      new PaymentResolver(partCursors, calendar),
      new OnchainResolver(),
      new PortfolioReportResolver(readers),
      operationUpdateResolver(createEventFeed({ keyRing, topics: [updateTopic] })),
      new AlertResolver(createCursorCodec(keyRing, 'operation-alerts'), alerts),
      new OperationAlertsResolver(alerts),
      new ComparisonResolver(),
      new PricingResolver(),
      new OperationPaymentResolver(createCursorCodec(keyRing, 'operation-payments'), calendar),
      new PublicContractResolver(createCursorCodec(keyRing, 'onchain-contracts')),
    ],
    references: { Operation: operationReference, Series: seriesReference },
  });
  return Promise.resolve({
    name: 'issuances',
    schema,
    sdl,
    jobs: [],
    // The former slug of an estate stays known until its new slug is stored.
    consumers: [takeChainNews, takeCredits, keepEstateSlugs, takeBooks, takeProjections],
    migrations: { schema: 'issuances', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
  });
}
