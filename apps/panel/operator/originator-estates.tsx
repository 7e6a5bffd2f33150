import { useState } from 'react';
import { Facts, Section } from '../../design/basics.js';
import { SelectInput, TextInput, Button, valueIn } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal, moment, money } from '../frame/language.js';
import { Limits, type Limit } from '../frame/limits.js';
import { FailureNotice, Loaded, textOf } from '../frame/parts.js';
import { useQuery, useSettled } from '../frame/use-graph.js';
import { graph as originatorGraph } from '../originator/graph/operations.js';
import type { Operations as OriginatorOperations } from '../originator/graph/operations.js';
import { graph, type Operations } from './graph/operations.js';
import { operatorTexts } from '../texts.js';
import { countOf, NumberInput, numberOf } from '../frame/number-input.js';
import { frameTexts } from '../frame/texts.js';

export type Originator = NonNullable<Operations['originatorById']['data']['originator']>;

export interface OriginatorPart {
  readonly originator: Originator;
  readonly mayAct: boolean;
  readonly onDone: (said: string) => void;
}

type Permit = Originator['permits'][number];

/** The estates that an originator may assign credits to, each with what it accepts from everyone. */
export function OriginatorEstates(props: OriginatorPart) {
  const { originator, mayAct, onDone } = props;
  const { onboarding: text, words } = operatorTexts.get();
  return (
    <Section id="permits" title={words.permits}>
      {mayAct ? (
        <div className="row">
          <ActButton
            act={text.permit}
            fields={['patrimonyId']}
            text={text.permitText}
            run={(values) =>
              graph.mutate('permitOriginator', {
                originatorId: originator.id,
                patrimonyId: textOf(values, 'patrimonyId'),
              })
            }
            onDone={() => onDone(text.permitted)}
          >
            <EstateInput originator={originator} />
          </ActButton>
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
  const { permit, originator, mayAct, onDone } = props;
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
          <ActButton
            label={`${text.withdraw}: ${patrimony.ticker}`}
            act={text.withdraw}
            kind="danger"
            text={text.withdrawText}
            run={() => graph.mutate('withdrawOriginatorPermit', pair)}
            onDone={() => onDone(text.permitWithdrawn)}
          />
        ) : null}
      </div>
      <p className="muted">{text.permittedSince(date(permittedAt))}</p>
      <EstateCriteria {...props} estate={patrimony} />
    </section>
  );
}

function EstateCriteria(props: OriginatorPart & { readonly estate: NonNullable<Permit['patrimony']> }) {
  const { estate, mayAct, onDone } = props;
  const { onboarding: text, words } = operatorTexts.get();
  const query = useQuery(originatorGraph, 'criteria', { patrimonyId: estate.id });
  const criteria = query.data?.eligibilityCriteria ?? null;
  const done = (said: string) => {
    query.reload();
    onDone(said);
  };
  const { id: patrimonyId, ticker } = estate;
  return (
    <>
      <Loaded query={query}>
        {({ limitUsage }) =>
          criteria === null ? (
            <p className="notice">{text.noCriteria}</p>
          ) : (
            <>
              <CriteriaFacts criteria={criteria} />
              <Limits limits={criteria.limits} usage={limitUsage} />
            </>
          )
        }
      </Loaded>
      {mayAct && query.data !== undefined ? (
        <div className="row">
          <ActButton
            label={`${text.setCriteria}: ${ticker}`}
            opens={text.setCriteria}
            act={words.save}
            fields={[...limits, ...limitFields, 'netWorth', 'netWorthDate', 'reason']}
            text={text.criteriaText}
            run={(values) => graph.mutate('setEligibilityCriteria', { patrimonyId, ...criteriaIn(values) })}
            onDone={() => done(text.criteriaSet)}
          >
            <CriteriaFields criteria={criteria} />
          </ActButton>
          {criteria === null ? null : (
            <ActButton
              label={`${text.removeCriteria}: ${ticker}`}
              act={text.removeCriteria}
              kind="danger"
              fields={['reason']}
              text={text.removeCriteriaText}
              run={(values) => graph.mutate('removeEligibilityCriteria', { patrimonyId, reason: reasonIn(values) })}
              onDone={() => done(text.criteriaRemoved)}
            >
              <Reason />
            </ActButton>
          )}
        </div>
      ) : null}
    </>
  );
}

function CriteriaFacts({ criteria }: { readonly criteria: Criteria }) {
  const { onboarding: text, words } = operatorTexts.get();
  const { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare, netWorth, netWorthDate, updatedAt } = criteria;
  return (
    <Facts
      items={[
        [text.minFaceValue, minFaceValue === null ? words.noLimit : money(minFaceValue)],
        [text.maxFaceValue, maxFaceValue === null ? words.noLimit : money(maxFaceValue)],
        [text.maxTermDays, maxTermDays === null ? words.noLimit : decimal(maxTermDays)],
        [text.maxDebtorShare, maxDebtorShare === null ? words.noLimit : `${decimal(maxDebtorShare)}%`],
        ...(netWorth === null ? [] : [[text.netWorth, `${money(netWorth)} (${date(netWorthDate ?? '')})`] as const]),
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
function EstateInput({ originator }: Pick<OriginatorPart, 'originator'>) {
  const { onboarding: text, words } = operatorTexts.get();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const query = useQuery(graph, 'estatesToPermit', { search: useSettled(searchOf(typed)) });
  const { nodes = [], totalCount = 0 } = query.data?.patrimonies ?? {};
  const known = new Set(originator.permits.map(({ patrimony }) => patrimony?.id));
  const estates = nodes.filter(({ id }) => !known.has(id));
  const patrimonyId = (estates.find(({ id }) => id === chosen) ?? estates[0])?.id ?? '';
  return (
    <>
      <FailureNotice failure={query.failure} />
      <TextInput name="search" type="search" label={text.estateSearch} value={typed} onChange={setTyped} />
      <SelectInput
        name="patrimonyId"
        label={words.estate}
        hint={<span role="status">{text.estatesFound(decimal(nodes.length), decimal(totalCount))}</span>}
        value={patrimonyId}
        onChange={setChosen}
        options={estates.map(({ id, ticker, name }) => ({ value: id, text: `${ticker} · ${name}` }))}
      />
    </>
  );
}

type Criteria = NonNullable<OriginatorOperations['criteria']['data']['eligibilityCriteria']>;

const limits = ['minFaceValue', 'maxFaceValue', 'maxTermDays', 'maxDebtorShare'] as const;

const reasonIn = (values: FormData) => textOf(values, 'reason').trim() || null;

const criteriaIn = (values: FormData) => ({
  criteria: {
    minFaceValue: numberOf(values, 'minFaceValue', 'BRL'),
    maxFaceValue: numberOf(values, 'maxFaceValue', 'BRL'),
    maxTermDays: countOf(values, 'maxTermDays'),
    maxDebtorShare: numberOf(values, 'maxDebtorShare', '%'),
    limits: limitsIn(values),
    netWorth: numberOf(values, 'netWorth', 'BRL'),
    netWorthDate: textOf(values, 'netWorthDate') || null,
  },
  reason: reasonIn(values),
});

function CriteriaFields({ criteria }: { readonly criteria: Criteria | null }) {
  const { onboarding: text, words } = operatorTexts.get();
  return (
    <>
      {limits.map((name) => (
        <NumberInput
          key={name}
          name={name}
          label={text[name]}
          hint={words.emptyForNone}
          defaultValue={criteria?.[name] ?? null}
          unit={name === 'maxDebtorShare' ? '%' : 'BRL'}
          isWhole={name === 'maxTermDays'}
        />
      ))}
      <LimitInputs limits={criteria?.limits ?? []} />
      <NumberInput
        name="netWorth"
        label={text.netWorth}
        hint={text.netWorthHint}
        defaultValue={criteria?.netWorth ?? null}
        unit="BRL"
      />
      <TextInput
        name="netWorthDate"
        type="date"
        label={text.netWorthDate}
        defaultValue={criteria?.netWorthDate ?? ''}
      />
      <Reason />
    </>
  );
}

function Reason() {
  const { onboarding, words } = operatorTexts.get();
  return <TextInput name="reason" label={words.reason} hint={onboarding.reasonHint} maxLength={500} />;
}

const types = ['CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO'] as const;
/** Maximum number of limits in criteria. */
const places = Array.from({ length: 50 }, (_, place) => place);
const parts = ['kind', 'base', 'type', 'maxShare', 'maxDays'] as const;

/** The names of the inputs, by which the server names them in errors. */
const limitFields = places.flatMap((place) => parts.map((part) => nameAt(place, part)));

function nameAt(place: number, part: (typeof parts)[number]): string {
  return `limits[${place}].${part}`;
}

function limitsIn(values: FormData) {
  const { limits: text } = frameTexts.get();
  return places.flatMap((place) => {
    const value = (part: (typeof parts)[number]) => textOf(values, nameAt(place, part));
    const kind = valueIn(text.kinds, value('kind'));
    const base = valueIn(text.bases, value('base'));
    if (kind === undefined || base === undefined) return [];
    return {
      ...{ kind, base },
      type: types.find((one) => one === value('type')) ?? null,
      maxShare: numberOf(values, nameAt(place, 'maxShare'), '%'),
      maxDays: countOf(values, nameAt(place, 'maxDays')),
    };
  });
}

interface Row {
  readonly key: number;
  readonly kind: Limit['kind'];
  readonly limit?: Limit;
}

/** The limits of concentration and of the average term: any number of them. */
function LimitInputs({ limits }: { readonly limits: readonly Limit[] }) {
  const { limits: text } = frameTexts.get();
  const { onboarding, words } = operatorTexts.get();
  const [rows, setRows] = useState<readonly Row[]>(() =>
    limits.map((limit, key) => ({ key, limit, kind: limit.kind })),
  );
  const [next, setNext] = useState(limits.length);
  return (
    <fieldset className="stack">
      <legend>{text.title}</legend>
      {rows.map(({ key, limit, kind }, place) => (
        <div key={key} className="stack">
          <SelectInput
            name={nameAt(place, 'kind')}
            label={text.kind}
            value={kind}
            onChange={(chosen) => setRows(rows.map((row) => (row.key === key ? { ...row, kind: chosen } : row)))}
            options={text.kinds}
          />
          <SelectInput
            name={nameAt(place, 'base')}
            label={text.base}
            defaultValue={limit?.base ?? 'PORTFOLIO'}
            options={text.bases}
          />
          {kind === 'TYPE' ? (
            <SelectInput
              name={nameAt(place, 'type')}
              label={words.type}
              all={onboarding.eachType}
              defaultValue={limit?.type ?? ''}
              options={types.map((value) => ({ value, text: value }))}
            />
          ) : null}
          {kind === 'AVERAGE_TERM' ? (
            <NumberInput
              name={nameAt(place, 'maxDays')}
              label={onboarding.maxDays}
              defaultValue={limit?.maxDays ?? null}
              isWhole
            />
          ) : (
            <NumberInput
              name={nameAt(place, 'maxShare')}
              label={onboarding.maxShare}
              defaultValue={limit?.maxShare ?? null}
              unit="%"
            />
          )}
          <div className="row">
            <Button
              label={`${onboarding.removeLimit} ${place + 1}`}
              onPress={() => setRows(rows.filter((row) => row.key !== key))}
            >
              {onboarding.removeLimit}
            </Button>
          </div>
        </div>
      ))}
      <div className="row">
        <Button
          isDisabled={rows.length === places.length}
          onPress={() => {
            setRows([...rows, { key: next, kind: 'DEBTOR' }]);
            setNext(next + 1);
          }}
        >
          {onboarding.addLimit}
        </Button>
      </div>
    </fieldset>
  );
}
