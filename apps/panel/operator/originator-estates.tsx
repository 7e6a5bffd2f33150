import { useState } from 'react';
import { Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { date, decimal, moment, money } from '../frame/language.js';
import { FailureNotice, Loaded, textOf } from '../frame/parts.js';
import { useQuery, useSettled } from '../frame/use-graph.js';
import { ActDialog } from './act-dialog.js';
import { graph } from './graph.js';
import type { Originator, OriginatorPart } from './originator-part.js';
import { operatorTexts } from './texts.js';
import { countOf, NumberInput, numberOf } from '../frame/number-input.js';
import type { Operations } from './graph/operations.js';

type Permit = Originator['permits'][number];

/** The estates that an originator may assign credits to, each with what it accepts from everyone. */
export function OriginatorEstates(props: OriginatorPart) {
  const { originator, mayAct, open, onDone } = props;
  const { onboarding: text } = operatorTexts.get();
  return (
    <Section id="permits" title={text.permits}>
      {mayAct ? (
        <div className="row">
          <Button
            onPress={() => {
              open((close) => (
                <PermitEstate
                  originator={originator}
                  onClose={close}
                  onDone={() => {
                    close();
                    onDone(text.permitted);
                  }}
                />
              ));
            }}
          >
            {text.permit}
          </Button>
        </div>
      ) : null}
      {originator.permits.length === 0 ? <p className="empty">{text.noPermits}</p> : null}
      {originator.permits.map((permit) => (
        <PermittedEstate key={permit.patrimony?.id ?? permit.permittedAt} permit={permit} {...props} />
      ))}
    </Section>
  );
}

function PermittedEstate(props: OriginatorPart & { readonly permit: Permit }) {
  const { permit, originator, mayAct, open, onDone } = props;
  const { onboarding: text } = operatorTexts.get();
  const { patrimony, permittedAt } = permit;
  if (patrimony === null) return <p className="muted">{text.withdrawnEstate(date(permittedAt))}</p>;
  const pair = { originatorId: originator.id, patrimonyId: patrimony.id };
  return (
    <section className="card stack" aria-label={patrimony.ticker}>
      <div className="row spread">
        <h3>
          {patrimony.name} <span className="muted">{patrimony.ticker}</span>
        </h3>
        {mayAct ? (
          <Button
            label={`${text.withdraw}: ${patrimony.ticker}`}
            onPress={() => {
              open((close) => (
                <ActDialog
                  title={`${text.withdraw}: ${patrimony.ticker}`}
                  act={text.withdraw}
                  kind="danger"
                  onClose={close}
                  run={() => graph.mutate('withdrawOriginatorPermit', pair)}
                  onDone={() => {
                    close();
                    onDone(text.permitWithdrawn);
                  }}
                >
                  <p>{text.withdrawText}</p>
                </ActDialog>
              ));
            }}
          >
            {text.withdraw}
          </Button>
        ) : null}
      </div>
      <p className="muted">{text.permittedSince(date(permittedAt))}</p>
      <EstateCriteria {...props} estate={patrimony} />
    </section>
  );
}

function EstateCriteria(props: OriginatorPart & { readonly estate: NonNullable<Permit['patrimony']> }) {
  const { estate, mayAct, open, onDone } = props;
  const { onboarding: text } = operatorTexts.get();
  const query = useQuery(graph, 'estateCriteria', { patrimonyId: estate.id });
  const criteria = query.data?.eligibilityCriteria ?? null;
  const done = (said: string, close: () => void) => {
    close();
    query.reload();
    onDone(said);
  };
  return (
    <>
      <Loaded query={query}>
        {() => (criteria === null ? <p className="notice">{text.noCriteria}</p> : <Limits criteria={criteria} />)}
      </Loaded>
      {mayAct && query.data !== undefined ? (
        <div className="row">
          <Button
            label={`${text.setCriteria}: ${estate.ticker}`}
            onPress={() => {
              open((close) => (
                <SetCriteria
                  estate={estate}
                  criteria={criteria}
                  onClose={close}
                  onDone={() => done(text.criteriaSet, close)}
                />
              ));
            }}
          >
            {text.setCriteria}
          </Button>
          {criteria === null ? null : (
            <Button
              label={`${text.removeCriteria}: ${estate.ticker}`}
              onPress={() => {
                open((close) => (
                  <RemoveCriteria estate={estate} onClose={close} onDone={() => done(text.criteriaRemoved, close)} />
                ));
              }}
            >
              {text.removeCriteria}
            </Button>
          )}
        </div>
      ) : null}
    </>
  );
}

function Limits({ criteria }: { readonly criteria: Criteria }) {
  const { onboarding: text } = operatorTexts.get();
  const { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare, updatedAt } = criteria;
  return (
    <Facts
      items={[
        [text.minFaceValue, minFaceValue === null ? text.noLimit : money(minFaceValue)],
        [text.maxFaceValue, maxFaceValue === null ? text.noLimit : money(maxFaceValue)],
        [text.maxTermDays, maxTermDays === null ? text.noLimit : decimal(maxTermDays)],
        [text.maxDebtorShare, maxDebtorShare === null ? text.noLimit : `${decimal(maxDebtorShare)}%`],
        [text.updated, moment(updatedAt)],
      ]}
    />
  );
}

/** The words of a text that a search takes: at most ten with 100 characters, and none that has only signs. */
function searchOf(typed: string): string {
  const words = typed.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return Array.from(words.slice(0, 10).join(' ')).slice(0, 100).join('');
}

/** Asks for an estate. A house has more than a list can show: the server searches, and the list has what it found. */
function PermitEstate(props: {
  readonly originator: Originator;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { originator, onClose, onDone } = props;
  const { onboarding: text } = operatorTexts.get();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const query = useQuery(graph, 'estatesToPermit', { search: useSettled(searchOf(typed)) });
  const { nodes = [], totalCount = 0 } = query.data?.patrimonies ?? {};
  const known = new Set(originator.permits.map(({ patrimony }) => patrimony?.id));
  const estates = nodes.filter(({ id }) => !known.has(id));
  const patrimonyId = (estates.find(({ id }) => id === chosen) ?? estates[0])?.id ?? '';
  return (
    <ActDialog
      title={text.permit}
      act={text.permit}
      fields={['patrimonyId']}
      onClose={onClose}
      run={async () => {
        await graph.mutate('permitOriginator', { originatorId: originator.id, patrimonyId });
      }}
      onDone={onDone}
    >
      <p>{text.permitText}</p>
      <FailureNotice failure={query.failure} />
      <TextInput name="search" type="search" label={text.estateSearch} value={typed} onChange={setTyped} />
      <SelectInput
        name="patrimonyId"
        label={text.estate}
        hint={<span role="status">{text.estatesFound(decimal(nodes.length), decimal(totalCount))}</span>}
        value={patrimonyId}
        onChange={setChosen}
        options={estates.map(({ id, ticker, name }) => ({ value: id, text: `${ticker} · ${name}` }))}
      />
    </ActDialog>
  );
}

type Criteria = NonNullable<Operations['estateCriteria']['data']['eligibilityCriteria']>;

interface EstateAct {
  readonly estate: { readonly id: string; readonly ticker: string };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const limits = ['minFaceValue', 'maxFaceValue', 'maxTermDays', 'maxDebtorShare'] as const;

/** Sets what an estate accepts, from every originator. */
function SetCriteria({ estate, criteria, onClose, onDone }: EstateAct & { readonly criteria: Criteria | null }) {
  const { onboarding: text } = operatorTexts.get();
  const run = (values: FormData) => {
    return graph.mutate('setEligibilityCriteria', {
      patrimonyId: estate.id,
      criteria: {
        minFaceValue: numberOf(values, 'minFaceValue', 'BRL'),
        maxFaceValue: numberOf(values, 'maxFaceValue', 'BRL'),
        maxTermDays: countOf(values, 'maxTermDays'),
        maxDebtorShare: numberOf(values, 'maxDebtorShare', '%'),
      },
      reason: textOf(values, 'reason').trim() || null,
    });
  };
  return (
    <ActDialog
      title={`${text.setCriteria}: ${estate.ticker}`}
      act={text.save}
      fields={[...limits, 'reason']}
      onClose={onClose}
      run={run}
      onDone={onDone}
    >
      <p>{text.criteriaText}</p>
      {limits.map((name) => (
        <NumberInput
          key={name}
          name={name}
          label={text[name]}
          hint={text.emptyForNone}
          defaultValue={criteria?.[name] ?? null}
          unit={name === 'maxDebtorShare' ? '%' : 'BRL'}
          isWhole={name === 'maxTermDays'}
        />
      ))}
      <Reason />
    </ActDialog>
  );
}

/** Removes the criteria of an estate, which then accepts nothing. */
function RemoveCriteria({ estate, onClose, onDone }: EstateAct) {
  const { onboarding: text } = operatorTexts.get();
  return (
    <ActDialog
      title={`${text.removeCriteria}: ${estate.ticker}`}
      act={text.removeCriteria}
      kind="danger"
      fields={['reason']}
      onClose={onClose}
      run={(values) =>
        graph.mutate('removeEligibilityCriteria', {
          patrimonyId: estate.id,
          reason: textOf(values, 'reason').trim() || null,
        })
      }
      onDone={onDone}
    >
      <p>{text.removeCriteriaText}</p>
      <Reason />
    </ActDialog>
  );
}

function Reason() {
  const { common, onboarding } = operatorTexts.get();
  return <TextInput name="reason" label={common.reason} hint={onboarding.reasonHint} maxLength={500} />;
}
