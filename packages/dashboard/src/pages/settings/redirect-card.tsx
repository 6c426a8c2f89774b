import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { fieldProblem } from '../../api/client/field-problem.ts';
import { useRefusal } from '../../api/role.ts';
import { changeSettings, settingsQuery } from '../../api/settings.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/feedback/toast.tsx';

/** Allowed redirect URLs after connecting a device. */
export function RedirectCard({ urls }: { urls: readonly string[] }) {
  const queryClient = useQueryClient();
  const reason = useRefusal('owner', 'change settings');
  const [url, setUrl] = useState('');
  const change = useMutation({
    mutationFn: changeSettings,
    onSuccess: (saved, { add_redirect_urls: added }) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      if (added) setUrl('');
      toast(added ? 'Redirect URL added' : 'Redirect URL removed');
    },
  });
  const problem = fieldProblem(change.error, 'add_redirect_urls');
  return (
    <Card
      title="Redirect URLs"
      note="Where users can return after connecting a device. Any other redirect_url is rejected."
    >
      <div className="stack">
        {urls.length === 0 ? (
          <p className="quiet">
            None yet. Users stay on our page when they are done, and requests with a redirect_url are
            rejected.
          </p>
        ) : (
          <ul className="plain-list" aria-label="Redirect URLs">
            {urls.map((one) => (
              <li key={one}>
                <code>{one}</code>
                <IconButton
                  label={`Remove ${one}`}
                  isDisabled={Boolean(reason) || change.isPending}
                  onPress={() => change.mutate({ remove_redirect_urls: [one] })}
                >
                  <X size={14} />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <form
          className="settings-add"
          onSubmit={(event) => {
            event.preventDefault();
            if (url.trim() !== '') change.mutate({ add_redirect_urls: [url.trim()] });
          }}
        >
          <Field
            label="New redirect URL"
            placeholder="https://app.example.com/connected"
            value={url}
            onChange={setUrl}
            error={problem}
            inputMode="url"
            autoCapitalize="none"
            isDisabled={Boolean(reason)}
          />
          <Button type="submit" reason={reason} isDisabled={url.trim() === ''} isPending={change.isPending}>
            Add URL
          </Button>
        </form>
        {change.error && !problem && <ErrorBox error={change.error} title="No changes saved." />}
      </div>
    </Card>
  );
}
