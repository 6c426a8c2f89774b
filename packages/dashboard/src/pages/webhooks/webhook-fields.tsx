import { eventTypes } from '@tributary/contract/names';
import { fieldProblem } from '../../api/client/field-problem.ts';
import { ApiFailure } from '../../api/client/failure.ts';
import { Checkbox } from '../../components/controls/checkbox.tsx';
import { Field } from '../../components/controls/field.tsx';
import { typeLabels } from './webhook-text.ts';

export interface WebhookDraft {
  url: string;
  events: readonly string[];
  /** Seconds, as typed. */
  coalesce: string;
  /** Per second, as typed. Empty for no limit. */
  rate: string;
}

export interface WebhookFieldsProps {
  draft: WebhookDraft;
  onChange: (draft: WebhookDraft) => void;
  error: unknown;
}

/** URL, events and delivery settings, for new and existing endpoints. */
export function WebhookFields({ draft, onChange, error }: WebhookFieldsProps) {
  const set = (part: Partial<WebhookDraft>) => onChange({ ...draft, ...part });
  const isAll = draft.events.includes('*');
  return (
    <>
      <Field
        label="URL"
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
          All, including future types
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
          label="Batch window (seconds)"
          help="Changes to one user within this time become one event"
          inputMode="numeric"
          value={draft.coalesce}
          onChange={(coalesce) => set({ coalesce })}
          error={fieldProblem(error, 'coalesce_seconds')}
        />
        <Field
          label="Max requests per second"
          help="Leave empty for no limit"
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

/** Returns the request body for the fields. */
export function bodyOf(draft: WebhookDraft) {
  return {
    url: draft.url.trim(),
    events: [...draft.events],
    coalesce_seconds: Number(draft.coalesce || 0),
    rate_limit: draft.rate.trim() === '' ? null : Number(draft.rate),
  };
}

/** Returns whether the form can be submitted. */
export function isComplete(draft: WebhookDraft): boolean {
  return (
    draft.url.trim() !== '' && draft.events.length > 0 && /^\d*$/.test(draft.coalesce + draft.rate.trim())
  );
}
