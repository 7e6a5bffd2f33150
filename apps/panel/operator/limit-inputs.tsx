import { useState } from 'react';
import { Button, SelectInput, valueIn } from '../../design/controls/controls.js';
import type { Limit } from '../frame/limits.js';
import { countOf, NumberInput, numberOf } from '../frame/number-input.js';
import { textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { operatorTexts } from '../texts.js';

const types = ['CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO'] as const;
/** As many as criteria can have. */
const places = Array.from({ length: 50 }, (_, place) => place);
const parts = ['kind', 'base', 'type', 'maxShare', 'maxDays'] as const;

/** The names of the inputs, by which the server names them in errors. */
export const limitFields = places.flatMap((place) => parts.map((part) => nameAt(place, part)));

function nameAt(place: number, part: (typeof parts)[number]): string {
  return `limits[${place}].${part}`;
}

export function limitsIn(values: FormData) {
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
export function LimitInputs({ limits }: { readonly limits: readonly Limit[] }) {
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
