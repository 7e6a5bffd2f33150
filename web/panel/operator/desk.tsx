import { useState, type ReactNode } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { decimal, moment, money } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

type Data = Operations['desk']['data'];

/** An act that needs a reason. */
interface Asked {
  readonly title: string;
  readonly act: string;
  readonly text: ReactNode;
  readonly run: (reason: string) => Promise<unknown>;
}

/** What the trading desk watches: markets, withdrawals that wait for approvals, and findings of the reconciliation. */
export function Desk() {
  const { desk: text } = operatorTexts.get();
  const query = useQuery(graph, 'desk', {});
  const action = useAction();
  const [asked, setAsked] = useState<Asked>();
  const mayAct = useSession()?.scopes.includes('trade') === true;
  const run = (act: () => Promise<unknown>) => {
    void action.run(act).then((worked) => {
      if (worked) query.reload();
    });
  };
  const parts = { mayAct, isBusy: action.isBusy, run, ask: setAsked };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>
        {(data) => (
          <>
            <Markets rows={data.tradingMarkets} {...parts} />
            <Withdrawals rows={data.transferWithdrawals.nodes} {...parts} />
            <Findings rows={data.reconciliationFindings} />
          </>
        )}
      </Loaded>
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
            query.reload();
          }}
        >
          {asked.text}
        </ReasonDialog>
      )}
    </>
  );
}

interface Parts {
  readonly mayAct: boolean;
  readonly isBusy: boolean;
  readonly run: (act: () => Promise<unknown>) => void;
  readonly ask: (asked: Asked) => void;
}

function Markets({ rows, mayAct, isBusy, run, ask }: Parts & { readonly rows: Data['tradingMarkets'] }) {
  const { desk: text } = operatorTexts.get();
  return (
    <Section id="markets" title={text.markets}>
      <Table
        caption={text.markets}
        rows={rows}
        keyOf={({ symbol }) => symbol}
        empty={text.noMarkets}
        columns={[
          { label: text.market, kind: 'nowrap', cell: ({ symbol }) => symbol },
          {
            label: text.status,
            kind: 'wide',
            cell: ({ status, haltReason }) => (
              <>
                <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge> {haltReason ?? ''}
              </>
            ),
          },
          {
            label: text.acts,
            cell: ({ symbol, status }) =>
              !mayAct ? null : status === 'ACTIVE' ? (
                <Button
                  label={`${text.halt} ${symbol}`}
                  onPress={() => {
                    ask({
                      title: `${text.halt} ${symbol}`,
                      act: text.halt,
                      text: <p>{text.haltText}</p>,
                      run: (reason) => graph.mutate('haltMarket', { symbol, reason }),
                    });
                  }}
                >
                  {text.halt}
                </Button>
              ) : (
                <Button
                  label={`${text.resume} ${symbol}`}
                  isBusy={isBusy}
                  onPress={() => {
                    run(() => graph.mutate('resumeMarket', { symbol }));
                  }}
                >
                  {text.resume}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}

function Withdrawals(props: Parts & { readonly rows: Data['transferWithdrawals']['nodes'] }) {
  const { rows, mayAct, isBusy, run, ask } = props;
  const { desk: text } = operatorTexts.get();
  return (
    <Section id="withdrawals" title={text.withdrawals}>
      <Table
        caption={text.withdrawals}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text.noWithdrawals}
        columns={[
          { label: text.time, kind: 'nowrap', cell: ({ withdrawal }) => moment(withdrawal.createdAt) },
          {
            label: text.amount,
            kind: 'number',
            cell: ({ withdrawal: { amount, asset }, valueBrl }) => (
              <>
                {decimal(amount)} {asset}
                <span className="sub">{money(valueBrl)}</span>
              </>
            ),
          },
          {
            label: text.to,
            kind: 'wide',
            cell: ({ withdrawal: { address, network }, beneficiaryName }) => (
              <>
                <code>{address}</code>
                <span className="sub">
                  {network} {beneficiaryName}
                </span>
              </>
            ),
          },
          {
            label: text.approvals,
            kind: 'nowrap',
            cell: ({ approvals, approvalsNeeded }) => `${decimal(approvals)} / ${decimal(approvalsNeeded)}`,
          },
          {
            label: text.acts,
            cell: ({ id }) => (mayAct ? <WithdrawalActs id={id} isBusy={isBusy} run={run} ask={ask} /> : null),
          },
        ]}
      />
    </Section>
  );
}

function WithdrawalActs({ id, isBusy, run, ask }: Omit<Parts, 'mayAct'> & { readonly id: string }) {
  const { desk: text } = operatorTexts.get();
  return (
    <span className="row">
      <Button
        kind="main"
        isBusy={isBusy}
        label={`${text.approve} ${id}`}
        onPress={() => {
          run(() => graph.mutate('approveWithdrawal', { id }));
        }}
      >
        {text.approve}
      </Button>
      <Button
        label={`${text.reject} ${id}`}
        onPress={() => {
          ask({
            title: text.reject,
            act: text.reject,
            text: <p>{text.rejectText}</p>,
            run: (reason) => graph.mutate('rejectWithdrawal', { id, reason }),
          });
        }}
      >
        {text.reject}
      </Button>
    </span>
  );
}

function Findings({ rows }: { readonly rows: Data['reconciliationFindings'] }) {
  const { desk: text } = operatorTexts.get();
  return (
    <Section id="findings" title={text.findings}>
      <Table
        caption={text.findings}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text.noFindings}
        columns={[
          { label: text.found, kind: 'nowrap', cell: ({ foundAt }) => moment(foundAt) },
          {
            label: text.invariant,
            kind: 'wide',
            cell: ({ invariant, subject }) => (
              <>
                <code>{invariant}</code>
                <span className="sub">{subject}</span>
              </>
            ),
          },
          { label: text.currency, kind: 'nowrap', cell: ({ currency }) => currency ?? '—' },
          { label: text.expected, kind: 'number', cell: ({ expected }) => expected },
          { label: text.actual, kind: 'number', cell: ({ actual }) => actual },
        ]}
      />
    </Section>
  );
}
