import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword, sessionsQuery } from '../../api/security.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { leastPasswordLength, NewPassword } from '../sign-in/new-password.tsx';
import { OwnUsername } from '../../authenticator/own-username.tsx';
import { isWrongPassword } from './wrong-password.ts';

export function PasswordCard() {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setCurrent('');
      setPassword('');
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast('Password changed. Your other sessions have ended.');
    },
  });
  const isWrong = isWrongPassword(change.error);
  return (
    <Card title="Password" note="Changing it ends your other sessions.">
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ current, password });
        }}
      >
        <OwnUsername />
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(text) => {
            setCurrent(text);
            change.reset();
          }}
          error={isWrong ? 'Incorrect password.' : null}
          isRequired
        />
        <NewPassword label="New password" value={password} onChange={setPassword} />
        {change.error && !isWrong && <ErrorBox error={change.error} title="Password not changed." />}
        <div className="row">
          <Button
            type="submit"
            isDisabled={current === '' || password.length < leastPasswordLength}
            isPending={change.isPending}
          >
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
