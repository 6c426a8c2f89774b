import { ApiError } from '@tributary/contract';

/** The same error for a delivery that never existed or is past retention. Takes the event's ID as the client sent it. */
export function deliveryNotFound(eventId: string): ApiError {
  return new ApiError('not_found', {
    message: `This webhook has no delivery for event ${eventId}. Use an id from its list of deliveries. Deliveries that ended long ago are not retained.`,
  });
}
