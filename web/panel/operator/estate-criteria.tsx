import { TextInput } from '../../design/controls/fields.js';
import { countOf, NumberInput, numberOf } from '../frame/number-input.js';
import { textOf } from '../frame/parts.js';
import { ActDialog } from './act-dialog.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

export type Criteria = NonNullable<Operations['estateCriteria']['data']['eligibilityCriteria']>;

interface EstateAct {
  readonly estate: { readonly id: string; readonly ticker: string };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const limits = ['minFaceValue', 'maxFaceValue', 'maxTermDays', 'maxDebtorShare'] as const;

/** Sets what an estate accepts, from every originator. */
export function SetCriteria({ estate, criteria, onClose, onDone }: EstateAct & { readonly criteria: Criteria | null }) {
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
export function RemoveCriteria({ estate, onClose, onDone }: EstateAct) {
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
