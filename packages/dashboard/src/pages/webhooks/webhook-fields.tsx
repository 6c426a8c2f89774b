import { eventTypes } from '@tributary/contract/names';
import { fieldProblem } from '../../api/field-problem.ts';
import { ApiFailure } from '../../api/failure.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Field } from '../../components/field.tsx';
import { typeLabels } from './webhook-text.ts';

export interface WebhookDraft {
  url: string;
  events: readonly string[];
  /** Seconds, as typed. */
  coalesce: string;
  /** A second, as typed; empty for no limit. */
  rate: string;
}

export interface WebhookFieldsProps {
  draft: WebhookDraft;
  onChange: (draft: WebhookDraft) => void;
  error: unknown;
}

/** Address, events and pace: the same fields for a new endpoint and for one that is changed. */
export function WebhookFields({ draft, onChange, error }: WebhookFieldsProps) {
  const set = (part: Partial<WebhookDraft>) => onChange({ ...draft, ...part });
  const isAll = draft.events.includes('*');
  return (
    <>
      <Field
        label="Address"
        placeholder="https://example.com/hooks/tributary"
        inputMode="url"
        autoCapitalize="none"
        value={draft.url}
        onChange={(url) => set({ url })}
        error={urlProblem(error)}
        isRequired
        autoFocus
      />
      <fieldset className="webhook-events">
        <legend>Events</legend>
        <Checkbox isSelected={isAll} onChange={(on) => set({ events: on ? ['*'] : [] })}>
          All, also those to come
        </Checkbox>
        {!isAll &&
          eventTypes.map((type) => (
            <Checkbox
              key={type}
              isSelected={draft.events.includes(type)}
              onChange={(on) =>
                set({ events: on ? [...draft.events, type] : draft.events.filter((one) => one !== type) })
              }
            >
              <span>
                <code>{type}</code> <span className="quiet">{typeLabels[type]}</span>
              </span>
            </Checkbox>
          ))}
      </fieldset>
      <div className="webhook-pace">
        <Field
          label="Gather for, seconds"
          help="Changes of a user in this time are one event"
          inputMode="numeric"
          value={draft.coalesce}
          onChange={(coalesce) => set({ coalesce })}
          error={fieldProblem(error, 'coalesce_seconds')}
        />
        <Field
          label="At most, a second"
          help="Empty for no limit"
          inputMode="numeric"
          value={draft.rate}
          onChange={(rate) => set({ rate })}
          error={fieldProblem(error, 'rate_limit')}
        />
      </div>
    </>
  );
}

function urlProblem(error: unknown): string | null {
  if (error instanceof ApiFailure && error.code === 'invalid_url') return error.message;
  return fieldProblem(error, 'url');
}

/** The body of the request that the fields stand for. */
export function bodyOf(draft: WebhookDraft) {
  return {
    url: draft.url.trim(),
    events: [...draft.events],
    coalesce_seconds: Number(draft.coalesce || 0),
    rate_limit: draft.rate.trim() === '' ? null : Number(draft.rate),
  };
}

/** Whether it makes sense to send it. */
export function isComplete(draft: WebhookDraft): boolean {
  return (
    draft.url.trim() !== '' && draft.events.length > 0 && /^\d*$/.test(draft.coalesce + draft.rate.trim())
  );
}
