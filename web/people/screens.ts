// The screens of people, loaded together.
export { ImportScreen } from "./import/import.tsx";
export { PeopleScreen } from "./people.tsx";
export { PersonScreen } from "./person/person.tsx";
