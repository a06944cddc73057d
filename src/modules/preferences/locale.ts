// The words that recipients see, in one language.
export interface Locale {
  footer: {
    /** `{projectName}` stands for the sender. */
    text: string
    /** The words of the unsubscribe link. */
    link: string
  }
}
