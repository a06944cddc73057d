// Files that the bundler carries as text.
declare module '*.sql' {
  const text: string
  export default text
}
