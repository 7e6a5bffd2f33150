import { Empty, Links, Section, Stats, Table, TablePart } from '../../design/basics.js';
import { issuerText } from '../issuer-text.js';
import { addressOf, type Locale } from '../page.js';
import type { Operation, PartProps } from './types.js';

interface ReportProps extends PartProps {
  readonly action: string;
  readonly query: Readonly<Partial<Record<string, string>>> & { readonly month?: string | undefined };
}

export function Report(props: ReportProps) {
  const { operation, locale } = props;
  const { operation: text } = locale.text;
  const { report } = operation;
  return (
    <Section id="report" title={text.report} links={<Months {...props} />} opens={locale.text.price.show}>
      {report === null ? (
        <Empty>{text.noReport}</Empty>
      ) : (
        <>
          <Totals report={report} locale={locale} />
          <div className="columns roomy">
            <Aging report={report} locale={locale} />
            <Delinquency report={report} locale={locale} />
            <Concentration report={report} locale={locale} />
            <LoanToValue report={report} locale={locale} />
            <Subordination report={report} locale={locale} />
          </div>
        </>
      )}
    </Section>
  );
}

function Months({ operation, locale, action, query }: ReportProps) {
  const { operation: text } = locale.text;
  const items = [
    {
      href: `${addressOf(action, { ...query, month: undefined })}#report`,
      text: text.live,
      current: query.month === undefined,
    },
    ...operation.reportMonths.slice(0, 12).map((one) => ({
      href: `${addressOf(action, { ...query, month: one })}#report`,
      text: locale.month(one),
      current: one === query.month,
    })),
  ];
  return <Links label={text.report} items={items} />;
}

interface PortfolioProps {
  readonly report: NonNullable<Operation['report']>;
  readonly locale: Locale;
}

function Totals({ report, locale }: PortfolioProps) {
  const { operation: text, table } = locale.text;
  const { portfolio, provisioning, subordination, prepayment, concentration } = report;
  return (
    <Stats
      items={[
        { label: text.position, value: locale.date(report.position), note: report.statusLabel ?? text.live },
        {
          label: table.balance,
          value: locale.money(portfolio.balance),
          note: `${table.contracts}: ${locale.decimal(portfolio.contracts)}`,
        },
        {
          label: table.debtors,
          value: locale.decimal(portfolio.debtors),
          note: `${text.averageTicket}: ${locale.money(portfolio.averageTicket)}`,
        },
        {
          label: text.overdue,
          value: locale.money(portfolio.overdueBalance),
          note: locale.percent(portfolio.overdueShare),
        },
        { label: text.provisions, value: locale.money(provisioning.total), note: locale.percent(provisioning.share) },
        {
          label: text.subordination,
          value: locale.percent(subordination.index),
          note: `${text.coverage}: ${locale.percent(subordination.coverage)}`,
        },
        {
          label: text.cpr,
          value: locale.percent(prepayment.cpr),
          note:
            prepayment.cprTwelveMonths === null
              ? text.monthsMeasured(String(prepayment.measuredMonths))
              : `12 m: ${locale.percent(prepayment.cprTwelveMonths)}`,
        },
        { label: text.hhi, value: locale.decimal(concentration.hhi) },
      ]}
    />
  );
}

/** A percentage with a bar of its length. */
function Share({
  percent,
  locale,
  tone = 'plain',
}: {
  readonly percent: string;
  readonly locale: Locale;
  readonly tone?: 'plain' | 'warn';
}) {
  return (
    <>
      {locale.percent(percent)}
      <svg className={`bar ${tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.max(0, Math.min(100, Number(percent)))} height="10" />
      </svg>
    </>
  );
}

function Aging({ report, locale }: PortfolioProps) {
  const { operation: text, table } = locale.text;
  return (
    <TablePart
      title={text.aging}
      rows={report.aging}
      keyOf={({ label }) => label}
      empty={text.noReport}
      columns={[
        { label: table.band, kind: 'nowrap', cell: ({ label }) => issuerText(locale, label) },
        {
          label: table.share,
          kind: 'share',
          cell: ({ share, fromDays }) => (
            <Share percent={share} locale={locale} tone={fromDays > 0 ? 'warn' : 'plain'} />
          ),
        },
        { label: table.balance, kind: 'number', cell: ({ balance }) => locale.money(balance) },
        { label: table.contracts, kind: 'number', cell: ({ contracts }) => locale.decimal(contracts) },
      ]}
    />
  );
}

function Delinquency({ report, locale }: PortfolioProps) {
  const { operation: text, table } = locale.text;
  return (
    <TablePart
      title={text.delinquency}
      rows={report.delinquency}
      keyOf={({ overDays }) => String(overDays)}
      empty={text.noReport}
      columns={[
        { label: text.arrears, kind: 'nowrap', cell: ({ overDays }) => text.lateOver(String(overDays)) },
        { label: table.contracts, kind: 'number', cell: ({ contracts }) => locale.decimal(contracts) },
        {
          label: text.balanceInArrears,
          kind: 'number',
          cell: ({ balance, balanceShare }) => (
            <>
              {locale.money(balance)} <span className="muted">{locale.percent(balanceShare)}</span>
            </>
          ),
        },
        {
          label: text.overdueInstalments,
          kind: 'number',
          cell: ({ overdueInstalments, overdueShare }) => (
            <>
              {locale.money(overdueInstalments)} <span className="muted">{locale.percent(overdueShare)}</span>
            </>
          ),
        },
      ]}
    />
  );
}

function Concentration({ report, locale }: PortfolioProps) {
  const { operation: text, table } = locale.text;
  return (
    <TablePart
      title={text.concentration}
      rows={report.concentration.largest}
      keyOf={({ debtors }) => String(debtors)}
      empty={text.noReport}
      columns={[
        { label: table.debtors, cell: ({ debtors }) => text.largest(locale.decimal(debtors), debtors === 1) },
        { label: table.share, kind: 'share', cell: ({ share }) => <Share percent={share} locale={locale} /> },
        { label: table.balance, kind: 'number', cell: ({ balance }) => locale.money(balance) },
      ]}
    />
  );
}

function LoanToValue({ report, locale }: PortfolioProps) {
  const { operation: text, table } = locale.text;
  const { ltv, bands } = report.ltv;
  return (
    <div>
      <h3>
        {text.ltvBands}{' '}
        {ltv === null ? null : (
          <span className="muted">
            ({text.ltv}: {locale.percent(ltv)})
          </span>
        )}
      </h3>
      <Table
        caption={text.ltvBands}
        rows={report.ltv.contracts === 0 ? [] : bands}
        keyOf={({ label }) => label}
        empty={text.noLtv}
        columns={[
          { label: table.band, kind: 'nowrap', cell: ({ label }) => issuerText(locale, label) },
          { label: table.share, kind: 'share', cell: ({ share }) => <Share percent={share} locale={locale} /> },
          { label: table.balance, kind: 'number', cell: ({ balance }) => locale.money(balance) },
        ]}
      />
    </div>
  );
}

function Subordination({ report, locale }: PortfolioProps) {
  const { operation: text, table } = locale.text;
  return (
    <TablePart
      title={text.subordination}
      rows={report.subordination.series}
      keyOf={({ ticker }) => ticker}
      empty={text.noSeries}
      columns={[
        { label: table.series, kind: 'nowrap', cell: ({ ticker, classLabel }) => `${ticker} (${classLabel})` },
        { label: table.share, kind: 'share', cell: ({ share }) => <Share percent={share} locale={locale} /> },
        { label: table.balance, kind: 'number', cell: ({ balance }) => locale.money(balance) },
      ]}
    />
  );
}
