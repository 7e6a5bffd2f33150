import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { moment } from '../frame/language.js';
import type { DeskData, DeskParts } from './desk-parts.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

/** The open findings of the reconciliation, and a reconciliation now. */
export function Findings(props: DeskParts & { readonly rows: DeskData['reconciliationFindings'] }) {
  const { rows, mayAct, mayAdminister, ask } = props;
  const { desk: text, exceptions } = operatorTexts.get();
  return (
    <Section id="findings" title={text.findings} links={mayAct ? <Reconcile {...props} /> : undefined}>
      <Table
        caption={text.findings}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text.noFindings}
        columns={[
          {
            label: text.found,
            kind: 'nowrap',
            cell: ({ foundAt, lastSeenAt }) => (
              <>
                {moment(foundAt)}
                <span className="sub">{exceptions.lastSeen(moment(lastSeenAt))}</span>
              </>
            ),
          },
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
          {
            label: text.acts,
            cell: ({ id, invariant }) =>
              mayAdminister ? (
                <Button
                  label={`${exceptions.resolve} ${invariant} ${id}`}
                  onPress={() => {
                    ask({
                      title: exceptions.resolveFinding,
                      act: exceptions.resolve,
                      text: <p>{exceptions.resolveFindingText}</p>,
                      run: (reason) => graph.mutate('resolveReconciliationFinding', { id, reason }),
                    });
                  }}
                >
                  {exceptions.resolve}
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function Reconcile({ isBusy, run }: DeskParts) {
  const { exceptions } = operatorTexts.get();
  return (
    <Button
      isBusy={isBusy}
      onPress={() => {
        run(() => graph.mutate('reconcileLedger', {}));
      }}
    >
      {exceptions.reconcile}
    </Button>
  );
}
