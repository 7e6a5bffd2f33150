import { useState } from 'react';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { useDialog } from './act-dialog.js';
import { Deposits, StuckWithdrawals } from './desk-custody.js';
import { CurrencyHalts, KillSwitch } from './desk-halts.js';
import { Findings } from './desk-findings.js';
import { Markets } from './desk-markets.js';
import { Hedges, QuarantinedOrders } from './desk-orders.js';
import type { Asked } from './desk-parts.js';
import { Withdrawals } from './desk-withdrawals.js';
import { graph } from './graph.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

/** What the trading desk watches: halts, withdrawals that wait for approvals, findings of the reconciliation, and what waits for an operator. */
export function Desk() {
  const { desk: text } = operatorTexts.get();
  const query = useQuery(graph, 'desk', {});
  const exceptions = useQuery(graph, 'deskExceptions', {});
  const action = useAction();
  const [asked, setAsked] = useState<Asked>();
  const { dialog, open } = useDialog();
  const scopes = useSession()?.scopes ?? [];
  const onDone = () => {
    query.reload();
    exceptions.reload();
  };
  const run = (act: () => Promise<unknown>) => {
    void action.run(act).then((worked) => {
      if (worked) onDone();
    });
  };
  const [mayAct, mayAdminister] = [scopes.includes('trade'), scopes.includes('administer')];
  const parts = { mayAct, mayAdminister, isBusy: action.isBusy, run, ask: setAsked, open, onDone };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <FailureNotice failure={action.failure} />
      <div className="stack">
        <Loaded query={query}>
          {(data) => (
            <>
              <KillSwitch status={data.tradingStatus} {...parts} />
              <Withdrawals rows={data.transferWithdrawals.nodes} {...parts} />
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
              <StuckWithdrawals rows={[...data.quarantined.nodes, ...data.unconfirmed.nodes]} {...parts} />
              <Deposits rows={data.quarantinedDeposits} {...parts} />
            </>
          )}
        </Loaded>
      </div>
      {dialog}
      {asked === undefined ? null : (
        <ReasonDialog
          title={asked.title}
          act={asked.act}
          onClose={() => {
            setAsked(undefined);
          }}
          run={asked.run}
          onDone={() => {
            setAsked(undefined);
            onDone();
          }}
        >
          {asked.text}
        </ReasonDialog>
      )}
    </>
  );
}
