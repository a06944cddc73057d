// The tag by which a report of SES names our row, also where it overtakes the answer that holds SES' own id, or where that answer was
// lost.

export const emailTag = 'waxwing-email'

/** What a tag may hold. */
const taggable = /^[\w-]{1,256}$/

export function tagsOf(emailId: string): { Name: string; Value: string }[] {
  return taggable.test(emailId) ? [{ Name: emailTag, Value: emailId }] : []
}
