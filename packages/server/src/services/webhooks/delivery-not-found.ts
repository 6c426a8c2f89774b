import { ApiError } from '@tributary/contract';

/** One answer for a delivery that never was, or is not kept any more. Takes the event's id as the client wrote it. */
export function deliveryNotFound(eventId: string): ApiError {
  return new ApiError('not_found', {
    message: `This webhook has no delivery of event ${eventId}. Take the id from the list of its deliveries; those that ended long ago are not kept.`,
  });
}
