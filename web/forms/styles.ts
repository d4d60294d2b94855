// The styles of the screens of forms, loaded with the first one.
import "./forms.css";
