import { useState } from 'react';

/** Returns the token after the `#` of a link, or an empty string. Browsers do not send the fragment to servers, so no log contains it. */
export function useFragmentToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  return token;
}
