import { FailureNotice, Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { Deposits } from './desk-custody.js';
import { Hedges, QuarantinedOrders } from './desk-orders.js';
import type { DeskData, DeskParts } from './desk-parts.js';
import { withdrawalColumns } from './desk-withdrawals.js';
import { graph } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';
import { Badge, noted, Section, TableSection } from '../../design/basics.js';
import { Button } from '../../design/controls/controls.js';
import { moment } from '../frame/language.js';

/** Overview of the trading desk: halts, withdrawals awaiting approval, findings of the reconciliation, and cases for an operator. */
export function Desk() {
  const { desk: text, exceptions: texts, words } = operatorTexts.get();
  const query = useQuery(graph, 'desk', {});
  const exceptions = useQuery(graph, 'deskExceptions', {});
  const action = useAction();
  const scopes = useSession()?.scopes ?? [];
  const [note, done] = useNote(() => {
    query.reload();
    exceptions.reload();
  });
  const onDone = (said = '') => {
    done(said);
  };
  const run = (act: () => Promise<unknown>) => {
    void action.run(act).then((worked) => {
      if (worked) onDone();
    });
  };
  const [mayAct, mayAdminister] = [scopes.includes('trade'), scopes.includes('administer')];
  const parts = { mayAct, mayAdminister, isBusy: action.isBusy, run, onDone };
  return (
    <>
      <PageHead title={words.desk} lead={text.lead} />
      <FailureNotice failure={action.failure} />
      <Note>{note}</Note>
      <div className="stack">
        <Loaded query={query}>
          {(data) => (
            <>
              <KillSwitch status={data.tradingStatus} {...parts} />
              <TableSection
                id="withdrawals"
                title={text.withdrawals}
                rows={[...data.transferWithdrawals.nodes, ...data.approved.nodes]}
                empty={text.noWithdrawals}
                columns={withdrawalColumns(parts)}
              />
              <Findings rows={data.reconciliationFindings} {...parts} />
              <CurrencyHalts rows={data.currencyHalts} {...parts} />
              <Markets rows={data.tradingMarkets} {...parts} />
            </>
          )}
        </Loaded>
        <Loaded query={exceptions}>
          {(data) => (
            <>
              <QuarantinedOrders rows={data.quarantinedOrders} {...parts} />
              <Hedges rows={data.openHedges} {...parts} />
              <TableSection
                id="stuck"
                title={texts.stuck}
                rows={[...data.quarantined.nodes, ...data.unconfirmed.nodes, ...data.returned.nodes]}
                empty={texts.noStuck}
                columns={withdrawalColumns(parts)}
              />
              <Deposits rows={data.quarantinedDeposits} {...parts} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Markets({ rows, mayAct, isBusy, run, onDone }: DeskParts & { readonly rows: DeskData['tradingMarkets'] }) {
  const { desk: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="markets"
      title={words.markets}
      rows={rows}
      keyOf={({ symbol }) => symbol}
      empty={text.noMarkets}
      columns={[
        { label: words.market, kind: 'nowrap', cell: ({ symbol }) => symbol },
        {
          label: words.status,
          kind: 'wide',
          cell: ({ status, haltReason }) => (
            <>
              <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge> {haltReason ?? ''}
            </>
          ),
        },
        {
          label: words.acts,
          cell: ({ symbol, status }) =>
            !mayAct ? null : status === 'ACTIVE' ? (
              <ReasonButton
                label={`${text.halt} ${symbol}`}
                act={text.halt}
                text={text.haltText}
                run={(reason) => graph.mutate('haltMarket', { symbol, reason })}
                onDone={onDone}
              />
            ) : (
              <Button
                label={`${text.resume} ${symbol}`}
                isBusy={isBusy}
                onPress={() => run(() => graph.mutate('resumeMarket', { symbol }))}
              >
                {text.resume}
              </Button>
            ),
        },
      ]}
    />
  );
}

function Findings(props: DeskParts & { readonly rows: DeskData['reconciliationFindings'] }) {
  const { rows, mayAct, mayAdminister, onDone } = props;
  const { desk: text, exceptions, words } = operatorTexts.get();
  return (
    <TableSection
      id="findings"
      title={text.findings}
      links={mayAct ? <Reconcile {...props} /> : undefined}
      rows={rows}
      empty={text.noFindings}
      columns={[
        {
          label: text.found,
          kind: 'nowrap',
          cell: ({ foundAt, lastSeenAt }) => noted(moment(foundAt), exceptions.lastSeen(moment(lastSeenAt))),
        },
        {
          label: text.invariant,
          kind: 'wide',
          cell: ({ invariant, subject }) => noted(exceptions.invariants[invariant], subject),
        },
        { label: words.currency, kind: 'nowrap', cell: ({ currency }) => currency ?? '—' },
        { label: text.expected, kind: 'number', cell: ({ expected }) => expected },
        { label: text.actual, kind: 'number', cell: ({ actual }) => actual },
        {
          label: words.acts,
          cell: ({ id, invariant }) =>
            mayAdminister ? (
              <ReasonButton
                label={`${exceptions.resolve}: ${exceptions.invariants[invariant]} ${id}`}
                act={exceptions.resolve}
                title={exceptions.resolveFinding}
                text={exceptions.resolveFindingText}
                run={(reason) => graph.mutate('resolveReconciliationFinding', { id, reason })}
                onDone={onDone}
              />
            ) : null,
        },
      ]}
    />
  );
}

function Reconcile({ isBusy, run }: DeskParts) {
  const { exceptions } = operatorTexts.get();
  return (
    <Button isBusy={isBusy} onPress={() => run(() => graph.mutate('reconcileLedger', {}))}>
      {exceptions.reconcile}
    </Button>
  );
}

function KillSwitch(props: DeskParts & { readonly status: DeskData['tradingStatus'] }) {
  const { status, mayAct } = props;
  const { exceptions: text } = operatorTexts.get();
  return (
    <Section id="trading" title={text.trading} links={mayAct ? <Switch {...props} /> : undefined}>
      <p>
        <Badge tone={status.halted ? 'bad' : 'good'}>{status.halted ? text.halted : text.runs}</Badge>{' '}
        {status.halted ? `${status.reason ?? ''} · ${text.since(moment(status.changedAt))}` : null}
      </p>
    </Section>
  );
}

function Switch({ status, isBusy, run, onDone }: DeskParts & { readonly status: DeskData['tradingStatus'] }) {
  const { exceptions: text } = operatorTexts.get();
  return status.halted ? (
    <Button isBusy={isBusy} onPress={() => run(() => graph.mutate('resumeTrading', {}))}>
      {text.resumeTrading}
    </Button>
  ) : (
    <ReasonButton
      button="danger"
      act={text.haltTrading}
      text={text.haltTradingText}
      run={(reason) => graph.mutate('haltTrading', { reason })}
      onDone={onDone}
    />
  );
}

function CurrencyHalts(props: DeskParts & { readonly rows: DeskData['currencyHalts'] }) {
  const { rows, mayAdminister, onDone } = props;
  const { desk, exceptions: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="currencies"
      title={text.currencies}
      rows={rows}
      keyOf={({ currency, synthetic }) => `${currency} ${String(synthetic)}`}
      empty={text.noCurrencies}
      columns={[
        {
          label: words.currency,
          kind: 'nowrap',
          cell: ({ currency, synthetic }) => (synthetic ? `${currency} (${text.synthetic})` : currency),
        },
        { label: words.reason, kind: 'wide', cell: ({ reason }) => reason },
        { label: text.haltedAt, kind: 'nowrap', cell: ({ haltedAt }) => moment(haltedAt) },
        {
          label: words.acts,
          cell: ({ currency, synthetic }) =>
            mayAdminister ? (
              <ReasonButton
                label={`${desk.resume} ${currency}`}
                act={desk.resume}
                text={text.resumeCurrencyText}
                run={(reason) => graph.mutate('resumeCurrency', { currency, synthetic, reason })}
                onDone={onDone}
              />
            ) : null,
        },
      ]}
    />
  );
}
